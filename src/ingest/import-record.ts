import { addedType } from '../infrastructure/change-log/change-types.js';
import type { ImportKind } from '../infrastructure/item-names/item-names.js';
import { countedAs, itemOf } from './kinds/items.js';

/** SQL for the values that a request with transactions records besides its rows, over a row `o` of the outcome. */
export interface Besides {
  /** The sum of the stored amounts. */
  readonly amount: string;
  /** How many notes were pinned. */
  readonly pinnedNotes: string;
}

/** SQL for a request's duration so far: by the service's clock until the query began, by PostgreSQL's clock since then. */
const DURATION_MS = `(o.waited_ms + date_part('epoch', clock_timestamp() - now()) * 1000)::integer`;

/**
 * Common table expressions that store, together with the rows, a record of each import request and a change for the supplier's
 * totals and the feed. The record holds the sender, the request id and trace id, the number of rows and the duration. A request
 * that stored nothing leaves neither. A request with documents that were not looked up is flagged (choice F5).
 *
 * @param outcome name of a common table expression with the columns of the account access check and the number `stored` of
 *   rows for each request
 */
export function importRecord(kind: ImportKind, outcome: string, besides?: Besides): string {
  const { amount, pinnedNotes } = besides ?? { amount: 'NULL', pinnedNotes: '0' };
  const mayNameDocuments = 'documents' in itemOf(kind);
  return `
  recorded AS (
    INSERT INTO {import_request} (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, trace_id, stored,
                                items, pinned_notes, amount, duration_ms, bytes${mayNameDocuments ? ', has_unseen_documents' : ''})
    SELECT :import_supplier_id, o.external_account_number, o.import_request_id, '${kind}', o.api_key_id, o.request_id, o.trace_id,
           o.stored, o.item_count, ${pinnedNotes}, ${amount}, ${DURATION_MS},
           o.bytes::bigint * o.stored / o.item_count${mayNameDocuments ? ', nullif(o.has_documents AND o.seen_at IS NULL, false)' : ''}
      FROM ${outcome} o
     WHERE o.stored > 0
  ),
  changed AS (
    INSERT INTO {supplier_change} (import_supplier_id, external_account_number, type, import_request_id, requests, ${countedAs(kind)}${besides ? ', notes, pinned_notes, amount' : ''})
    SELECT :import_supplier_id, o.external_account_number, '${addedType(kind)}', o.import_request_id, 1, o.stored${besides ? `, nullif(${pinnedNotes}, 0), nullif(${pinnedNotes}, 0), ${amount}` : ''}
      FROM ${outcome} o
     WHERE o.stored > 0
  )`;
}
