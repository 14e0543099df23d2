import { query } from '../database/query.js';
import { accountAccess } from '../imports/account-access.js';
import { DOCUMENT_CHECK, DOCUMENT_REQUEST_COLUMNS } from '../imports/document-check.js';
import { importRecord } from '../imports/import-record.js';
import { ImportRepository } from '../imports/import-runner.js';
import { Columns, sentItems } from '../imports/item-columns.js';
import { STATEMENT_COLUMNS } from './statement.columns.js';
import type { StatementsRequest, StatementsRow } from './statements.types.js';

const REQUEST_COLUMNS = new Columns<StatementsRequest>('request', DOCUMENT_REQUEST_COLUMNS);

/** Each statement, compared with the one of the same id on the account. */
const JUDGED = `judged AS MATERIALIZED (
    SELECT ${STATEMENT_COLUMNS.listOf('sent')},
           sent.position, access.request_number, access.first_position, access.import_request_id,
           access.external_account_number, access.document_root, access.seen_at, known.is_same
      FROM ${sentItems(STATEMENT_COLUMNS)}
      JOIN access ON access.request_number = sent.request_number AND access.is_open
      LEFT JOIN LATERAL (
        SELECT (${STATEMENT_COLUMNS.listOf('k')}) IS NOT DISTINCT FROM (${STATEMENT_COLUMNS.listOf('sent')}) AS is_same
          FROM {statement k}
         WHERE k.import_supplier_id = :import_supplier_id
           AND k.external_account_number = access.external_account_number
           AND k.statement_id = sent.statement_id
         LIMIT 1
      ) AS known ON true
  )`;

/**
 * Attach the statements of one or several requests, of each request all or none.
 *
 * A statement that is on the account already must be the same in every field that was sent and have none that was not.
 * When another request stores one of them between the lookup and the insert, the primary key keeps the row out: it is then
 * neither added nor known to be the same, so the query fails with a serialization failure and is tried again. Rows are
 * inserted in the order of their keys, so that two requests cannot deadlock.
 */
const ATTACH = query<StatementsRow>(
  'statements.attach',
  `WITH ${accountAccess(DOCUMENT_CHECK, REQUEST_COLUMNS)},
  ${JUDGED},
  verdict AS MATERIALIZED (
    SELECT access.*, found.changed,
           CASE WHEN access.root_to_check IS NULL AND found.changed IS NULL THEN found.new_count END AS wanted_count
      FROM access
      LEFT JOIN (
        SELECT judged.request_number,
               array_agg((judged.position - judged.first_position)::integer ORDER BY judged.position)
                 FILTER (WHERE NOT judged.is_same) AS changed,
               count(*) FILTER (WHERE judged.is_same IS NULL) AS new_count
          FROM judged
         GROUP BY judged.request_number
      ) AS found USING (request_number)
  ),
  added AS (
    INSERT INTO {statement} (import_supplier_id, external_account_number, import_request_id, document_location,
                           document_seen_at, ${STATEMENT_COLUMNS.list})
    SELECT :import_supplier_id, judged.external_account_number, judged.import_request_id,
           CASE WHEN judged.statement_path IS NOT NULL
                THEN concat_ws('/', :bucket::text, judged.document_root, judged.statement_path) END,
           CASE WHEN judged.statement_path IS NOT NULL THEN judged.seen_at END,
           ${STATEMENT_COLUMNS.listOf('judged')}
      FROM verdict
      JOIN judged USING (request_number)
     WHERE verdict.wanted_count > 0 AND judged.is_same IS NULL
     ORDER BY judged.request_number, judged.statement_id COLLATE "C"
        ON CONFLICT DO NOTHING
    RETURNING statement.import_request_id
  ),
  outcome AS MATERIALIZED (
    SELECT verdict.*, coalesce(counted.stored, 0) AS stored
      FROM verdict
      LEFT JOIN (
        SELECT import_request_id, count(*) AS stored FROM added GROUP BY import_request_id
      ) AS counted USING (import_request_id)
  ),
  ${importRecord('statements', 'outcome')}
  SELECT o.supplier_status, o.is_open, o.root_to_check, o.changed, o.stored::integer AS stored,
         CASE WHEN o.root_to_check IS NOT NULL
              THEN (SELECT array_agg((judged.position - judged.first_position)::integer)
                      FROM judged
                     WHERE judged.request_number = o.request_number AND judged.is_same) END AS unchanged,
         CASE WHEN o.stored < o.wanted_count THEN raise_serialization_failure() END AS is_lost
    FROM outcome o
   WHERE {held}
   ORDER BY o.request_number`,
);

/** Stores the statements of each request that its account does not have, where the account is open and none of them has changed. */
export const STATEMENTS_IMPORT = new ImportRepository(
  'historical_statements',
  ATTACH,
  STATEMENT_COLUMNS,
  REQUEST_COLUMNS,
);
