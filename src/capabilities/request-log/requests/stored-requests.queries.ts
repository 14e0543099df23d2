import { requestCounts } from './request-counts.js';
import { prefixEnd } from '../../../infrastructure/database/prefix-end.js';
import { query, type Query, type QueryParameters } from '../../../infrastructure/database/query.js';
import { isOwn } from './own.js';
import { hasPrefix } from './sent-requests.queries.js';
import type { ImportRun, KeyCounts, RequestFilter, StoredRequest } from './stored-requests.types.js';

/** The index by which requests are found. */
type Path = 'account' | 'time' | 'request_id';

/** SQL for the condition of each index, for an alias of `import_request` or `import_refusal`. */
const IS_FOUND: Readonly<Record<Path, (row: string) => string>> = {
  account: (row) =>
    `${row}.import_supplier_id = :import_supplier_id AND ${row}.external_account_number = :external_account_number
      AND (:request_prefix::text IS NULL OR ${hasPrefix(row)})`,
  time: (row) => `${row}.import_supplier_id = :import_supplier_id`,
  request_id: (row) => `${row}.import_supplier_id = :import_supplier_id AND ${hasPrefix(row)}`,
};

/**
 * The requests of a supplier, read by one of three indexes. Requests with a given id are read in a CTE of their own,
 * because the planner would otherwise choose the index for the order of the result and read all requests of the supplier.
 */
const READ: Readonly<Record<Path, { readonly before: string; readonly from: string }>> = {
  account: { before: '', from: `{import_request r} WHERE ${IS_FOUND.account('r')}` },
  time: { before: '', from: `{import_request r} WHERE ${IS_FOUND.time('r')}` },
  request_id: {
    before: `WITH found AS MATERIALIZED (
     SELECT * FROM {import_request r} WHERE ${IS_FOUND.request_id('r')}
   )
   `,
    from: 'found AS r WHERE true',
  },
};
const conditions = (row: string, time: string): string =>
  `${time} >= :since::timestamptz AND ${time} < :until::timestamptz
      AND (:kind::text IS NULL OR ${row}.kind = :kind)
      AND (:api_key_id::uuid IS NULL OR ${row}.api_key_id = :api_key_id)
      AND ${isOwn(row)}`;
const STORED_CONDITIONS = conditions('r', 'r.stored_at');

/**
 * A page of requests, newest first. Requests of an account are in the order of their key. The requests of one transaction
 * have the same time and are always on the same page, however many there are.
 */
function listText(path: Path): string {
  const page =
    path === 'account'
      ? 'AND r.id < :before_id::uuid ORDER BY r.id DESC LIMIT :count_max::integer'
      : 'ORDER BY r.stored_at DESC FETCH FIRST (:count_max::bigint) ROWS WITH TIES';
  return `${READ[path].before}SELECT page.external_account_number, page.id, page.kind, page.request_id, page.api_key_id,
          page.stored_at AS at, page.stored_at::text AS exact_at, page.undone_at, ${requestCounts('page')} AS counts,
          page.stored + page.pinned_notes AS rows
     FROM (
       SELECT r.*
         FROM ${READ[path].from} AND ${STORED_CONDITIONS}
          AND (:with_undone::boolean OR r.undone_at IS NULL)
       ${page}
     ) AS page
    ORDER BY ${path === 'account' ? '' : 'page.stored_at DESC, '}page.id DESC`;
}

function countText(path: Path): string {
  const isLeft = 'FILTER (WHERE r.undone_at IS NULL)';
  return `${READ[path].before}SELECT r.api_key_id AS "apiKeyId", count(*)::float8 AS "all", count(*) ${isLeft}::float8 AS requests,
          coalesce(sum(r.stored + r.pinned_notes) ${isLeft}, 0)::float8 AS rows
     FROM ${READ[path].from} AND ${STORED_CONDITIONS}
    GROUP BY r.api_key_id
    ORDER BY requests DESC, r.api_key_id`;
}

/** SQL for the run of a request: the loader sends the ids RUN-1, RUN-2, … (choice L13). Null for the request of another client. */
const runOf = (row: string): string => `substring(${row}.request_id FROM '^([A-Za-z0-9]+)-[0-9]+$')`;

/** A page of runs, the one with the newest request first. On several nodes the API keys are on none of the suppliers' nodes. */
function runsText(path: Path): string {
  const sum = (count: string): string => `coalesce(sum(${count}), 0)`;
  return `SELECT runs.*, runs."lastAt"::text AS exact_at
     FROM (
       SELECT sent.run, sender.organisation, min(sent.at) AS "firstAt", max(sent.at) AS "lastAt",
              count(*) FILTER (WHERE NOT sent.is_refused)::float8 AS requests, ${requestCounts('sent', sum)} AS rows,
              count(*) FILTER (WHERE sent.is_refused)::float8 AS refused, count(sent.undone_at)::float8 AS undone
         FROM (
           SELECT ${runOf('r')} AS run, r.api_key_id, r.stored_at AS at, r.kind, r.stored, r.pinned_notes, r.undone_at,
                  false AS is_refused
             FROM {import_request r} WHERE ${IS_FOUND[path]('r')} AND ${STORED_CONDITIONS}
           UNION ALL
           SELECT ${runOf('f')}, f.api_key_id, f.at, f.kind, 0, 0, NULL, true
             FROM {import_refusal f} WHERE ${IS_FOUND[path]('f')} AND ${conditions('f', 'f.at')} AND NOT f.is_dry_run
         ) AS sent
         LEFT JOIN unnest(:sender_keys::uuid[], :sender_organisations::text[]) AS sender (api_key_id, organisation)
           ON sender.api_key_id = sent.api_key_id
        GROUP BY sent.run, sender.organisation
     ) AS runs
    WHERE (runs."lastAt", coalesce(runs.run, ''), coalesce(runs.organisation, ''))
        < (:before_at::timestamptz, :before_run::text, :before_organisation::text)
    ORDER BY runs."lastAt" DESC, coalesce(runs.run, '') DESC, coalesce(runs.organisation, '') DESC
    LIMIT :count_max::integer`;
}

function byPath<Row>(name: string, text: (path: Path) => string): Readonly<Record<Path, Query<Row>>> {
  return {
    account: query(`sent_requests.${name}_of_account`, text('account')),
    time: query(`sent_requests.${name}_by_time`, text('time')),
    request_id: query(`sent_requests.${name}_by_request_id`, text('request_id')),
  };
}

export const STORED_REQUESTS = byPath<StoredRequest>('list', listText);
export const STORED_REQUEST_COUNTS = byPath<KeyCounts>('count', countText);
export const RUNS = byPath<ImportRun>('runs', runsText);

export function pathOf({ externalAccountNumber, requestId, requestPrefix }: RequestFilter): Path {
  if (externalAccountNumber !== undefined) return 'account';
  return requestId === undefined && requestPrefix === undefined ? 'time' : 'request_id';
}

/** The parameters of a filter. */
export function parametersOf(filter: RequestFilter): QueryParameters {
  const { requestId, requestPrefix, externalAccountNumber, since, until, apiKeyId, kind } = filter;
  return {
    ...rangeOf(requestId, requestPrefix),
    external_account_number: externalAccountNumber ?? null,
    since: since?.toISOString() ?? '-infinity',
    until: until?.toISOString() ?? 'infinity',
    api_key_id: apiKeyId ?? null,
    kind: kind ?? null,
  };
}

/** The range of the request ids. No text sorts between an id and the same id followed by the smallest character. */
function rangeOf(requestId: string | undefined, requestPrefix: string | undefined): QueryParameters {
  if (requestId !== undefined) {
    return { request_prefix: requestId, request_prefix_end: `${requestId}\u0001` };
  }
  return {
    request_prefix: requestPrefix ?? null,
    request_prefix_end: requestPrefix ? prefixEnd(requestPrefix) : null,
  };
}
