import { query, type Query, type QueryParameters } from '../../../infrastructure/database/query.js';
import { isOwn } from './own.js';
import { requestCounts } from './request-counts.js';
import type { Direction, ListedRow, ListFilter, RequestCursor, RequestRow } from './sent-requests.types.js';

type FoundRow = RequestRow & { readonly isAccount: boolean };

/** SQL for the trace id of a request, as its client sent it. */
function traceId(request: string): string {
  return `replace(${request}.trace_id::text, '-', '')`;
}

/** SQL for a {@link RequestRow} of a stored request `r`. @param at SQL for its time */
const stored = (timeColumn: string): string =>
  `r.id, ${timeColumn} AS at, r.kind, NULL::smallint AS status, r.items, r.stored, ${requestCounts('r')} AS counts,
               CASE WHEN ${isOwn('r')} THEN json_build_object(
                 'externalAccountNumber', r.external_account_number, 'requestId', r.request_id, 'traceId', ${traceId('r')},
                 'apiKeyId', r.api_key_id, 'durationMs', r.duration_ms, 'undoneAt', r.undone_at, 'code', NULL, 'fieldCode', NULL,
                 'attr', NULL, 'isDryRun', false, 'items', NULL) END AS details`;

/** SQL for a {@link RequestRow} of a refused request `f`. @param items its items, if they are needed */
const refused = (items: 'f.items' | 'NULL'): string =>
  `f.id, f.at, f.kind, f.status, NULL::integer AS items, 0 AS stored, NULL::json AS counts,
               CASE WHEN ${isOwn('f')} THEN json_build_object(
                 'externalAccountNumber', f.external_account_number, 'requestId', f.request_id, 'traceId', ${traceId('f')},
                 'apiKeyId', f.api_key_id, 'durationMs', NULL, 'undoneAt', NULL, 'code', f.code, 'fieldCode', f.field_code,
                 'attr', f.attr, 'isDryRun', f.is_dry_run, 'items', ${items}) END AS details`;

/**
 * SQL for whether a part of the list is read at all, and for the range of its rows. @param at the time as the index of the
 * part has it
 */
const inRange = (row: 'r' | 'f', timeColumn: string, outcome: 'stored' | 'refused'): string =>
  `${row}.import_supplier_id = :import_supplier_id
           AND (:outcome::text IS NULL OR :outcome = '${outcome}')${outcome === 'stored' ? ' AND :code::text IS NULL' : ''}
           AND ${timeColumn} >= coalesce(to_timestamp(:from_seconds::float8), '-infinity')
           AND ${timeColumn} < coalesce(to_timestamp(:until_seconds::float8), 'infinity')
           AND ${timeColumn} <= :before_at::timestamptz`;

/** SQL for the rows of a part that the filter selects. A code or a key never selects requests of other organisations. */
const listed = (row: 'r' | 'f', timeColumn: string, outcome: 'stored' | 'refused'): string =>
  `${inRange(row, timeColumn, outcome)}
           AND ${timeColumn} > greatest(:since::timestamptz, :down_to::timestamptz)
           AND (${timeColumn}, ${row}.id) < (:before_at::timestamptz, :before_id::uuid)
           AND (:kind::text IS NULL OR ${row}.kind = :kind)
           AND (:api_key_id::uuid IS NULL OR ${row}.api_key_id = :api_key_id AND ${isOwn(row)})`;

/** SQL for whether the id of a request begins with a prefix, by the index of these ids. */
export const hasPrefix = (row: string): string =>
  `${row}.request_id ~>=~ :request_prefix AND ${row}.request_id ~<~ :request_prefix_end`;

/**
 * A page of a list, of which each part is read by an index: as many rows as it returns, or the rows of the range of time until enough
 * pass the filter. WITH TIES, because the index does not order rows of the same time.
 */
const listQuery = (name: string, parts: string, storedPart: string, refusedPart: string): Query<ListedRow> =>
  query(
    name,
    `${parts}SELECT newest.*, newest.at::text AS exact_at, (extract(epoch FROM newest.at) * 1000000)::float8 AS microseconds
     FROM (
       (SELECT ${stored('r.stored_at')}
          FROM ${storedPart}
         WHERE ${listed('r', 'r.stored_at', 'stored')}
         ORDER BY r.stored_at DESC
         FETCH FIRST (:count_max::bigint) ROWS WITH TIES)
       UNION ALL
       (SELECT ${refused('NULL')}
          FROM ${refusedPart}
         WHERE ${listed('f', 'f.at', 'refused')}
           AND (:code::text IS NULL OR (f.code = :code OR f.field_code = :code) AND ${isOwn('f')})
         ORDER BY f.at DESC
         FETCH FIRST (:count_max::bigint) ROWS WITH TIES)
     ) AS newest
    ORDER BY newest.at DESC, newest.id DESC
    LIMIT :count_max::integer`,
  );

export const LISTED_REQUESTS = listQuery(
  'sent_requests.list',
  '',
  '{import_request r}',
  '{import_refusal f}',
);

/** The own requests of a run of the loader. They are read first, because the planner would otherwise choose the index of time. */
export const LISTED_OF_RUN = listQuery(
  'sent_requests.list_of_run',
  `WITH run_stored AS MATERIALIZED (
     SELECT * FROM {import_request r} WHERE r.import_supplier_id = :import_supplier_id AND ${hasPrefix('r')} AND ${isOwn('r')}
   ), run_refused AS MATERIALIZED (
     SELECT * FROM {import_refusal f} WHERE f.import_supplier_id = :import_supplier_id AND ${hasPrefix('f')} AND ${isOwn('f')}
   )
   `,
  'run_stored AS r',
  'run_refused AS f',
);

/** The time of the row that follows `rows_max` newer ones, in each part; the later of both times. Null when there are no more rows. */
export const LISTED_DOWN_TO = query<{ down_to: string | null }>(
  'sent_requests.list_down_to',
  `SELECT nullif(
            greatest(
              (SELECT r.stored_at
                 FROM {import_request r}
                WHERE ${inRange('r', 'r.stored_at', 'stored')}
                ORDER BY r.stored_at DESC
               OFFSET :rows_max::integer
                LIMIT 1),
              (SELECT f.at
                 FROM {import_refusal f}
                WHERE ${inRange('f', 'f.at', 'refused')}
                ORDER BY f.at DESC
               OFFSET :rows_max::integer
                LIMIT 1)
            ),
            :before_at::timestamptz
          )::text AS down_to`,
);

const IS_ACCOUNT = (request: string): string => `(
          SELECT 1
            FROM {account_import a}
           WHERE a.import_supplier_id = :import_supplier_id AND a.external_account_number = ${request}.external_account_number
           LIMIT 1) IS NOT NULL AS "isAccount"`;

/** Never finds another organisation's request. */
export const BY_REQUEST_ID = query<FoundRow>(
  'sent_requests.find',
  `SELECT found.*
     FROM (
       (SELECT ${stored('r.stored_at')}, ${IS_ACCOUNT('r')}
          FROM {import_request r}
         WHERE r.import_supplier_id = :import_supplier_id AND r.request_id = ANY (:request_ids::text[]) AND ${isOwn('r')}
         LIMIT :count_max::integer)
       UNION ALL
       (SELECT ${refused('f.items')}, ${IS_ACCOUNT('f')}
          FROM {import_refusal f}
         WHERE f.import_supplier_id = :import_supplier_id AND f.request_id = ANY (:request_ids::text[]) AND ${isOwn('f')}
         LIMIT :count_max::integer)
     ) AS found
    ORDER BY found.at DESC
    LIMIT :count_max::integer`,
);

/**
 * The own refusals that have an item with one of the ids. No index covers these ids, so all refusals of the supplier are read, at
 * most 100,000 of each organisation.
 */
export const BY_ITEM = query<FoundRow>(
  'sent_requests.find_by_item',
  `SELECT ${refused('f.items')}, ${IS_ACCOUNT('f')}
     FROM {import_refusal f}
    WHERE f.import_supplier_id = :import_supplier_id
      AND EXISTS (
            SELECT
              FROM unnest(:item_ids::text[]) AS item (id)
             WHERE f.items @> jsonb_build_object('others', jsonb_build_array(item.id))
                OR f.items @> jsonb_build_object('at_fault', jsonb_build_array(jsonb_build_object('id', item.id))))
      AND ${isOwn('f')}
    ORDER BY f.at DESC, f.id DESC
    LIMIT :count_max::integer`,
);

/** Applies to the rest of the transaction, on the node of the supplier. */
export const LIMIT_TIME = query<never>(
  'sent_requests.limit_time',
  `SELECT set_config('statement_timeout', :milliseconds::text, true)`,
);

const SIDE: Readonly<Record<Direction, '>' | '<'>> = { ASC: '>', DESC: '<' };

/**
 * The next import requests and refusals on one side of an event. Their ids have version 7, so each part reads only the rows
 * that it returns, in the order of its key.
 */
function ofAccountQuery(name: string, direction: Direction): Query<RequestRow> {
  return query<RequestRow>(
    name,
    `SELECT history.*
     FROM (
       (SELECT ${stored('uuid_extract_timestamp(r.id)')}
          FROM {import_request r}
         WHERE r.import_supplier_id = :import_supplier_id
           AND r.external_account_number = :external_account_number
           AND r.id ${SIDE[direction]} :after::uuid
         ORDER BY r.id ${direction}
         LIMIT :count_max::integer)
       UNION ALL
       (SELECT ${refused('f.items')}
          FROM {import_refusal f}
         WHERE f.import_supplier_id = :import_supplier_id
           AND f.external_account_number = :external_account_number
           AND f.id ${SIDE[direction]} :after::uuid
         ORDER BY f.id ${direction}
         LIMIT :count_max::integer)
     ) AS history
    ORDER BY history.id ${direction}
    LIMIT :count_max::integer`,
  );
}

export const OF_ACCOUNT = {
  ASC: ofAccountQuery('sent_requests.of_account', 'ASC'),
  DESC: ofAccountQuery('sent_requests.of_account_backwards', 'DESC'),
};

/** Seconds since 1970. A number, because years before 1 and after 9999 have no text that both PostgreSQL and Date read. */
function secondsOf(time: Date | undefined): number | null {
  return time ? time.getTime() / 1_000 : null;
}

/** The parameters of the range of a list. */
export function rangeOf(
  { outcome, code, from, until }: ListFilter,
  { exact_at }: RequestCursor,
): QueryParameters {
  return {
    ...{ outcome: outcome ?? null, code: code ?? null },
    ...{ from_seconds: secondsOf(from), until_seconds: secondsOf(until) },
    before_at: exact_at,
  };
}
