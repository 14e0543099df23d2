import { Injectable } from '@nestjs/common';
import { ACCOUNT_DOOR, doorParameters, loadRecord, type DoorAnswer } from '../accounts/account-door.js';
import type { AccountRef } from '../accounts/account-ref.js';
import type { Caller } from '../auth/caller.js';
import { runForOne, statement } from '../database/statement.js';
import type { Tx } from '../database/unit-of-work.js';
import type { InstructionClaim } from './payment-instructions.service.js';
import type { InstructionDetails } from './vendors/payment-vendor.js';

/** What both statements say of the account. */
export interface InstructionAnswer extends DoorAnswer {
  /** The platform's number; null while the account is not imported. */
  readonly service_account_number: string | null;
}

/** An instruction that the vendor has confirmed. */
export interface VerifiedInstruction extends InstructionClaim {
  readonly details: InstructionDetails;
  readonly verifiedAt: Date;
}

interface FindRow extends InstructionAnswer {
  readonly is_stored: boolean;
}

/** It records nothing, so of the five parameters of a load it takes only the three that the door itself needs. */
const FIND = statement<FindRow>(
  'payment_instructions.find',
  `WITH ${ACCOUNT_DOOR}
  SELECT door.supplier_status, door.is_open, door.service_account_number,
         ( SELECT true
             FROM payment_instruction p
            WHERE p.import_supplier_id = door.import_supplier_id
              AND p.external_account_number = door.external_account_number
              AND p.vendor = $4
              AND p.reference_hash = payment_reference_hash($5)
            LIMIT 1
         ) IS NOT NULL AS is_stored
    FROM (VALUES (1)) AS always (one)
    LEFT JOIN door ON true`,
);

const INSERT_MISSING = statement<InstructionAnswer>(
  'payment_instructions.insert_missing',
  `WITH ${ACCOUNT_DOOR},
  added AS (
    INSERT INTO payment_instruction (import_supplier_id, external_account_number, load_id, vendor, reference, type,
                                     details, verified_at)
    SELECT door.import_supplier_id, door.external_account_number, door.load_id, $6, $7, $8, $9::jsonb, $10::timestamptz
      FROM door
     WHERE door.is_open
        ON CONFLICT DO NOTHING
    RETURNING payment_instruction.load_id
  ),
  ${loadRecord('payment_instruction', 'SELECT count(*) FROM added')}
  SELECT door.supplier_status, door.is_open, door.service_account_number
    FROM (VALUES (1)) AS always (one)
    LEFT JOIN door ON true`,
);

@Injectable()
export class PaymentInstructionsRepository {
  /** Look at the door and for the same instruction: same account, vendor and reference (contract P2). */
  find(tx: Tx, caller: Caller, ref: AccountRef, claim: InstructionClaim): Promise<FindRow> {
    const [organisationId, importSupplier, accountNumber] = doorParameters(caller, ref);
    return runForOne(tx, FIND, [
      organisationId,
      importSupplier,
      accountNumber,
      claim.vendor,
      claim.reference,
    ]);
  }

  /** Store the instruction if the door is open and nobody else has stored it in the meantime. */
  insertMissing(
    tx: Tx,
    caller: Caller,
    ref: AccountRef,
    { vendor, reference, type, details, verifiedAt }: VerifiedInstruction,
  ): Promise<InstructionAnswer> {
    const written = JSON.stringify({ kind: details.kind, ...details.kept });
    return runForOne(tx, INSERT_MISSING, [
      ...doorParameters(caller, ref),
      vendor,
      reference,
      type,
      written,
      verifiedAt,
    ]);
  }
}
