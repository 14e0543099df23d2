import { query } from '../infrastructure/database/query.js';
import { accountAccess } from '../ingest/account-access.js';
import { insertNewItems, type StoredKind } from '../ingest/express-query.js';
import { ImportRepository } from '../ingest/import-runner.js';
import type { ImportRequest } from '../ingest/import-request.js';
import { Columns, itemColumns, sameColumns, sentItems } from '../ingest/item-columns.js';
import { hashSql } from '../ingest/kinds/item-kind.js';
import { PAYMENT_INSTRUCTION } from '../ingest/kinds/payment-instruction.item.js';
import type { InstructionRow, NewInstruction, VerifiedInstruction } from './payment-instructions.types.js';

/** The values that identify an instruction on its account (choice P2). */
const INSTRUCTION_KEY_COLUMNS = new Columns<NewInstruction>('item', sameColumns(PAYMENT_INSTRUCTION));

/** The values that an instruction sends to the database. */
const INSTRUCTION_COLUMNS = new Columns<VerifiedInstruction>(
  'item',
  itemColumns(PAYMENT_INSTRUCTION, {
    details: ({ details }: VerifiedInstruction) => JSON.stringify({ kind: details.kind, ...details.kept }),
    verified_at: ({ verifiedAt }) => verifiedAt.toISOString(),
  }),
);

const INSTRUCTIONS: StoredKind<ImportRequest<VerifiedInstruction>> = {
  kind: 'payment_instruction',
  access: 'account.service_account_number',
  request: new Columns('request', {}),
  items: INSTRUCTION_COLUMNS,
  stored: {},
  order: 'item.vendor COLLATE "C"',
};

/** SQL for the type of the account's instruction with the same vendor and reference (choice P2). */
const STORED_TYPE = `( SELECT p.type
             FROM {payment_instruction p}
            WHERE p.import_supplier_id = :import_supplier_id
              AND p.external_account_number = access.external_account_number
              AND p.vendor = item.vendor
              AND p.reference_hash = ${hashSql(PAYMENT_INSTRUCTION, (name) => `item.${name}`)}
            LIMIT 1
         ) AS stored_type`;

const FIND = query<InstructionRow>(
  'payment_instructions.find',
  `WITH ${accountAccess(INSTRUCTIONS.access)}
  SELECT access.supplier_status, access.is_open, access.service_account_number, ${STORED_TYPE}
    FROM access
    JOIN ${sentItems(INSTRUCTION_KEY_COLUMNS)} ON item.request_number = access.request_number
   ORDER BY access.request_number`,
);

/** The primary key detects an instruction that another request stored since the query began. The query then fails and is retried. */
const INSERT_MISSING = query<InstructionRow>(
  'payment_instructions.insert_missing',
  `WITH ${accountAccess(INSTRUCTIONS.access)},
  candidates AS MATERIALIZED (
    SELECT item.*, ${STORED_TYPE}
      FROM access
      JOIN ${sentItems(INSTRUCTION_COLUMNS)} ON item.request_number = access.request_number
  ),
  outcome AS MATERIALIZED (
    SELECT access.*, candidates.stored_type, (access.is_open AND candidates.stored_type IS NULL)::integer AS stored
      FROM access
      JOIN candidates USING (request_number)
  ),
  ${insertNewItems(INSTRUCTIONS, 'true')}
  SELECT supplier_status, is_open, service_account_number, stored_type FROM outcome WHERE {held} ORDER BY request_number`,
);

/** Looks up whether each request's account already has the instruction. */
export const INSTRUCTION_LOOKUP = new ImportRepository('payment_instruction_lookups', FIND, {
  items: INSTRUCTION_KEY_COLUMNS,
});

/** Stores the instruction of each request, if the account is open and does not have it yet. */
export const INSTRUCTION_IMPORT = new ImportRepository('payment_instructions', INSERT_MISSING, {
  items: INSTRUCTION_COLUMNS,
});
