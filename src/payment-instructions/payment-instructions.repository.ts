import { Injectable } from '@nestjs/common';
import { accountDoor, loadRecord, runLoad, type Load } from '../imports/account-access.js';
import { query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import type { NewInstruction, InstructionAnswer, VerifiedInstruction } from './payment-instructions.types.js';

interface FindRow extends InstructionAnswer {
  readonly is_stored: boolean;
}

/** What names an instruction on its account. */
const CLAIM_COLUMNS = { vendor: 'text', reference: 'text' };

const FIND = query<FindRow>(
  'payment_instructions.find',
  `WITH ${accountDoor(CLAIM_COLUMNS)}
  SELECT door.load, door.supplier_status, door.is_open, door.service_account_number,
         ( SELECT true
             FROM payment_instruction p
            WHERE p.import_supplier_id = door.import_supplier_id
              AND p.external_account_number = door.external_account_number
              AND p.vendor = door.vendor
              AND p.reference_hash = payment_reference_hash(door.reference)
            LIMIT 1
         ) IS NOT NULL AS is_stored
    FROM door`,
);

const INSERT_MISSING = query<InstructionAnswer>(
  'payment_instructions.insert_missing',
  `WITH ${accountDoor({ ...CLAIM_COLUMNS, type: 'text', details: 'jsonb', verified_at: 'timestamptz' })},
  added AS (
    INSERT INTO payment_instruction (import_supplier_id, external_account_number, import_request_id, vendor, reference, type,
                                     details, verified_at)
    SELECT door.import_supplier_id, door.external_account_number, door.import_request_id, door.vendor, door.reference, door.type,
           door.details, door.verified_at
      FROM door
     WHERE door.is_open
        ON CONFLICT DO NOTHING
    RETURNING payment_instruction.import_request_id
  ),
  outcome AS MATERIALIZED (
    SELECT door.*, (SELECT count(*) FROM added WHERE added.import_request_id = door.import_request_id) AS stored FROM door
  ),
  ${loadRecord('payment_instruction', 'outcome')}
  SELECT load, supplier_status, is_open, service_account_number FROM outcome`,
);

@Injectable()
export class PaymentInstructionsRepository {
  /** Look at the door and for the same instruction: same account, vendor and reference (contract P2). */
  async find(tx: Tx, load: Load, { vendor, reference }: NewInstruction): Promise<FindRow> {
    return runLoad(tx, FIND, load, [vendor, reference]);
  }

  /** Store the instruction if the door is open and nobody else has stored it in the meantime. */
  async insertMissing(
    tx: Tx,
    load: Load,
    { vendor, reference, type, details, verifiedAt }: VerifiedInstruction,
  ): Promise<InstructionAnswer> {
    const written = JSON.stringify({ kind: details.kind, ...details.kept });
    return runLoad(tx, INSERT_MISSING, load, [vendor, reference, type, written, verifiedAt]);
  }
}
