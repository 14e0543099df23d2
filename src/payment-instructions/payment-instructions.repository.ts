import { query } from '../database/query.js';
import { accountAccess } from '../imports/account-access.js';
import { importRecord } from '../imports/import-record.js';
import { ImportRepository } from '../imports/import-runner.js';
import { sentItems } from '../imports/item-columns.js';
import { INSTRUCTION_COLUMNS, INSTRUCTION_KEY_COLUMNS } from './payment-instruction.columns.js';
import type { FoundInstructionRow, InsertedInstructionRow } from './payment-instructions.types.js';

const FIND = query<FoundInstructionRow>(
  'payment_instructions.find',
  `WITH ${accountAccess('account.service_account_number')}
  SELECT access.supplier_status, access.is_open, access.service_account_number,
         ( SELECT p.type
             FROM {payment_instruction p}
            WHERE p.import_supplier_id = :import_supplier_id
              AND p.external_account_number = access.external_account_number
              AND p.vendor = item.vendor
              AND p.reference_hash = payment_reference_hash(item.reference)
            LIMIT 1
         ) AS stored_type
    FROM access
    JOIN ${sentItems(INSTRUCTION_KEY_COLUMNS)} ON item.request_number = access.request_number
   ORDER BY access.request_number`,
);

const INSERT_MISSING = query<InsertedInstructionRow>(
  'payment_instructions.insert_missing',
  `WITH ${accountAccess('account.service_account_number')},
  added AS (
    INSERT INTO {payment_instruction} (import_supplier_id, external_account_number, import_request_id, ${INSTRUCTION_COLUMNS.list})
    SELECT :import_supplier_id, access.external_account_number, access.import_request_id,
           ${INSTRUCTION_COLUMNS.listOf('item')}
      FROM access
      JOIN ${sentItems(INSTRUCTION_COLUMNS)} ON item.request_number = access.request_number
     WHERE access.is_open
     ORDER BY access.request_number
        ON CONFLICT DO NOTHING
    RETURNING payment_instruction.import_request_id
  ),
  outcome AS MATERIALIZED (
    SELECT access.*, (SELECT count(*) FROM added WHERE added.import_request_id = access.import_request_id) AS stored
      FROM access
  ),
  ${importRecord('payment_instruction', 'outcome')}
  SELECT supplier_status, is_open, service_account_number, stored > 0 AS is_stored FROM outcome WHERE {held} ORDER BY request_number`,
);

/** What the account of each request has of its instruction: of the same vendor and reference (choice P2). */
export const INSTRUCTION_LOOKUP = new ImportRepository('payment_instruction_lookups', FIND, {
  items: INSTRUCTION_KEY_COLUMNS,
});

/** Stores the instruction of each request, where the account is open and nobody else has stored it in the meantime. */
export const INSTRUCTION_IMPORT = new ImportRepository('payment_instructions', INSERT_MISSING, {
  items: INSTRUCTION_COLUMNS,
});
