import { query } from '../infrastructure/database/query.js';
import { accountAccess } from '../ingest/account-access.js';
import { DOCUMENT_CHECK, DOCUMENT_REQUEST_COLUMNS } from '../ingest/document-check.js';
import { expressQuery, insertNewItems, type StoredKind } from '../ingest/express-query.js';
import { ImportRepository } from '../ingest/import-runner.js';
import { Columns, itemColumns, sentItems } from '../ingest/item-columns.js';
import { STATEMENT } from '../ingest/kinds/statement.item.js';
import type { NewStatement, StatementsRequest, StatementsRow } from './statements.types.js';

/** The values that a statement sends to the database. */
const STATEMENT_COLUMNS = new Columns<NewStatement>('item', itemColumns(STATEMENT));

const STATEMENTS: StoredKind<StatementsRequest> = {
  kind: 'statements',
  access: DOCUMENT_CHECK,
  request: new Columns<StatementsRequest>('request', DOCUMENT_REQUEST_COLUMNS),
  items: STATEMENT_COLUMNS,
  stored: {
    document_location: `CASE WHEN item.statement_path IS NOT NULL
                THEN concat_ws('/', :bucket::text, access.document_root, item.statement_path) END`,
    document_seen_at: 'CASE WHEN item.statement_path IS NOT NULL THEN access.seen_at END',
  },
  order: 'item.statement_id COLLATE "C"',
};

/** Each statement, compared with the account's statement of the same id. */
const CANDIDATES = `candidates AS MATERIALIZED (
    SELECT ${STATEMENT_COLUMNS.listOf('item')}, item.position, item.request_number, access.first_position, known.is_same
      FROM ${sentItems(STATEMENT_COLUMNS)}
      JOIN access ON access.request_number = item.request_number AND access.is_open
      LEFT JOIN LATERAL (
        SELECT (${STATEMENT_COLUMNS.listOf('k')}) IS NOT DISTINCT FROM (${STATEMENT_COLUMNS.listOf('item')}) AS is_same
          FROM {statement k}
         WHERE k.import_supplier_id = :import_supplier_id
           AND k.external_account_number = access.external_account_number
           AND k.statement_id = item.statement_id
         LIMIT 1
      ) AS known ON true
  )`;

/**
 * Attach the statements of one or more requests. For each request, either all are attached or none.
 *
 * A statement that the account already has must agree in every field that was sent, and must not have any other field.
 * If another request stores one of them between the look-up and the insert, the query fails on the primary key and is retried.
 */
const ATTACH = query<StatementsRow>(
  'statements.attach',
  `WITH ${accountAccess(STATEMENTS.access, STATEMENTS.request)},
  ${CANDIDATES},
  outcome AS MATERIALIZED (
    SELECT access.*, found.changed,
           CASE WHEN access.root_to_check IS NULL AND found.changed IS NULL THEN found.new_count ELSE 0 END AS stored
      FROM access
      LEFT JOIN (
        SELECT candidates.request_number,
               array_agg((candidates.position - candidates.first_position)::integer ORDER BY candidates.position)
                 FILTER (WHERE NOT candidates.is_same) AS changed,
               (count(*) FILTER (WHERE candidates.is_same IS NULL))::integer AS new_count
          FROM candidates
         GROUP BY candidates.request_number
      ) AS found USING (request_number)
  ),
  ${insertNewItems(STATEMENTS, 'item.is_same IS NULL')}
  SELECT o.supplier_status, o.is_open, o.root_to_check, o.changed, o.stored,
         CASE WHEN o.root_to_check IS NOT NULL
              THEN (SELECT array_agg((candidates.position - candidates.first_position)::integer)
                      FROM candidates
                     WHERE candidates.request_number = o.request_number AND candidates.is_same) END AS unchanged
    FROM outcome o
   WHERE {held}
   ORDER BY o.request_number`,
);

const EXPRESS = expressQuery<StatementsRequest, StatementsRow>('statements.attach_express', STATEMENTS, {
  condition: 'access.root_to_check IS NULL',
  answer: ({ items }) => ({ root_to_check: null, changed: null, unchanged: null, stored: items.length }),
});

/** Stores the statements of each request that its account does not have yet, if the account is open and none of them has changed. */
export const STATEMENTS_IMPORT = new ImportRepository('historical_statements', ATTACH, STATEMENTS, EXPRESS);
