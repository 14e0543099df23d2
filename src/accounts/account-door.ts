import type { Caller } from '../auth/caller.js';
import { AppError, fieldError, validationError } from '../common/errors.js';
import type { SupplierStatus } from '../import-suppliers/import-supplier.entity.js';
import type { AccountRef } from './account-ref.js';

/**
 * The one door to an account: what a caller may load onto, decided in the statement that relies on the answer.
 *
 * Every load begins with this common table expression, `WITH ${ACCOUNT_DOOR}, …`. It takes the first five parameters
 * (see {@link doorParameters}) and has one row, or none when the supplier is unknown or not granted to the caller. Its
 * `is_open` says whether the supplier is ongoing and the account imported; what stores rows asks for it. The account
 * number is null while the account is not imported. `load_id` names this load, in the record and on every row it stores.
 *
 * Source: contract A8, S2, S8, T10.
 */
export const ACCOUNT_DOOR = `
  door AS MATERIALIZED (
    SELECT s.id AS import_supplier_id,
           s.status AS supplier_status,
           s.document_root,
           s.document_check,
           a.external_account_number,
           a.service_account_number,
           a.open_statement_from,
           a.open_statement_to,
           uuidv7() AS load_id,
           s.status = 'ongoing' AND a.external_account_number IS NOT NULL AS is_open
      FROM import_supplier s
      JOIN import_supplier_grant g
        ON g.import_supplier_id = s.id AND g.organisation_id = $1
      LEFT JOIN account_import a
        ON a.import_supplier_id = s.id AND a.external_account_number = $3 AND a.status = 'imported'
     WHERE s.code = $2
  )`;

/** The first five parameters of every statement that begins with the door. */
export function doorParameters(caller: Caller, ref: AccountRef): [string, string, string, string, string] {
  return [
    caller.organisationId,
    ref.importSupplier,
    ref.externalAccountNumber,
    caller.apiKeyId,
    caller.requestId,
  ];
}

/**
 * The record of a load, kept beside what it stored, as a common table expression: who loaded, by which request, how
 * many rows. Nothing is recorded when nothing was stored.
 *
 * @param kind what was loaded
 * @param stored SQL for the number of rows stored, for example `SELECT count(*) FROM added`
 */
export function loadRecord(
  kind: 'notes' | 'transactions' | 'statements' | 'payment_instruction',
  stored: string,
): string {
  return `
  load_record AS (
    INSERT INTO load (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored)
    SELECT door.import_supplier_id, door.external_account_number, door.load_id, '${kind}', $4, $5, counted.stored
      FROM door, (${stored}) AS counted (stored)
     WHERE counted.stored > 0
  )`;
}

/**
 * Whether the load has to wait until its documents were looked up, as a common table expression `documents` of one row:
 *
 * - `root_to_check`: the supplier wants every document to be there before anything is stored, and those below this root
 *   have not been looked up. The statement must store nothing, and answer it (load-documents.ts). Null: go on.
 * - `seen_at`: the present moment when the documents have been looked up, else null.
 *
 * The root that was looked up comes back as a parameter, so a root that was changed meanwhile is noticed here.
 *
 * @param paths SQL for the document paths of the load, a text array; nulls and empty texts in it are no paths
 * @param checkedRoot SQL for the root below which all of them were found, null at first
 * Source: contract F3.
 */
export function documentDemand(paths: string, checkedRoot: string): string {
  return `
  documents AS MATERIALIZED (
    SELECT CASE WHEN door.is_open AND door.document_check = 'reject' AND array_to_string(${paths}::text[], '') <> ''
                 AND ${checkedRoot}::text IS DISTINCT FROM door.document_root
                THEN door.document_root END AS root_to_check,
           CASE WHEN ${checkedRoot}::text = door.document_root THEN now() END AS seen_at
      FROM door
  )`;
}

/** What the statement must say of the door, so that a refusal can be told: `supplier_status` and `is_open`. */
export interface DoorAnswer {
  /** Null when the supplier is unknown or not granted. */
  readonly supplier_status: SupplierStatus | null;
  readonly is_open: boolean | null;
}

/**
 * Go on only when the door was open.
 *
 * @throws AppError `account_not_found`, or `validation_error` with `import_supplier_migration_not_ongoing`
 */
export function passDoor(answer: DoorAnswer): void {
  if (answer.supplier_status === null) throw new AppError('account_not_found');
  if (answer.supplier_status !== 'ongoing') {
    throw validationError([fieldError('import_supplier_migration_not_ongoing', 'import_supplier')]);
  }
  if (answer.is_open !== true) throw new AppError('account_not_found');
}
