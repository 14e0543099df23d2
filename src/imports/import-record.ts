import { SUPPLIER_OF_ROWS } from './account-access.js';
import type { ImportKind } from './import-kind.js';

/**
 * The record of each import request, stored together with its rows, as a common table expression: who sent it, under
 * which request id and trace id, how many rows. A request that stored nothing leaves no record.
 *
 * @param kind what was imported
 * @param outcome name of a common table expression with the columns of the account access check, and how many rows of each
 *   request were `stored`
 * @param pinnedNotes SQL for the number of notes that were pinned besides, of a row `o` of the outcome
 */
export function importRecord(kind: ImportKind, outcome: string, pinnedNotes = '0'): string {
  return `
  recorded AS (
    INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, trace_id, stored,
                                pinned_notes)
    SELECT own.import_supplier_id, o.external_account_number, o.import_request_id, '${kind}', o.api_key_id, o.request_id, o.trace_id,
           o.stored, ${pinnedNotes}
      FROM ${outcome} o, ${SUPPLIER_OF_ROWS}
     WHERE o.stored > 0
  )`;
}
