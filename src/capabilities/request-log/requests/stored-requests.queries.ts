import { requestCounts } from './request-counts.js';
import { prefixEnd } from '../../../infrastructure/database/prefix-end.js';
import { query, type Query, type QueryParameters } from '../../../infrastructure/database/query.js';
import { isOwn } from './own.js';
import { hasPrefix } from './sent-requests.queries.js';
import type { KeyCounts, RequestFilter, StoredRequest } from './stored-requests.types.js';

/** The index by which requests are found. */
type Path = 'account' | 'time' | 'request_id';

/**
 * The requests of a supplier, read by one of three indexes. Requests with a given id are read in a CTE of their own,
 * because the planner would otherwise choose the index for the order of the result and read all requests of the supplier.
 */
const READ: Readonly<Record<Path, { readonly before: string; readonly from: string }>> = {
  account: {
    before: '',
    from: `{import_request r}
    WHERE r.import_supplier_id = :import_supplier_id AND r.external_account_number = :external_account_number
      AND (:request_prefix::text IS NULL OR ${hasPrefix('r')})`,
  },
  time: { before: '', from: '{import_request r} WHERE r.import_supplier_id = :import_supplier_id' },
  request_id: {
    before: `WITH found AS MATERIALIZED (
     SELECT * FROM {import_request r} WHERE r.import_supplier_id = :import_supplier_id AND ${hasPrefix('r')}
   )
   `,
    from: 'found AS r WHERE true',
  },
};
const CONDITIONS = `r.stored_at >= :since::timestamptz AND r.stored_at < :until::timestamptz
      AND (:kind::text IS NULL OR r.kind = :kind)
      AND (:api_key_id::uuid IS NULL OR r.api_key_id = :api_key_id)
      AND ${isOwn('r')}`;

/**
 * A page of requests, newest first. Requests of an account are in the order of their key. The requests of one transaction
 * have the same time and are always on the same page, however many there are.
 */
function listQuery(name: string, path: Path): Query<StoredRequest> {
  const page =
    path === 'account'
      ? 'AND r.id < :before_id::uuid ORDER BY r.id DESC LIMIT :count_max::integer'
      : 'ORDER BY r.stored_at DESC FETCH FIRST (:count_max::bigint) ROWS WITH TIES';
  return query<StoredRequest>(
    name,
    `${READ[path].before}SELECT page.external_account_number, page.id, page.kind, page.request_id, page.api_key_id,
          page.stored_at AS at, page.stored_at::text AS exact_at, page.undone_at, ${requestCounts('page')} AS counts,
          page.stored + page.pinned_notes AS rows
     FROM (
       SELECT r.*
         FROM ${READ[path].from} AND ${CONDITIONS}
          AND (:with_undone::boolean OR r.undone_at IS NULL)
       ${page}
     ) AS page
    ORDER BY ${path === 'account' ? '' : 'page.stored_at DESC, '}page.id DESC`,
  );
}

function countQuery(name: string, path: Path): Query<KeyCounts> {
  const isLeft = 'FILTER (WHERE r.undone_at IS NULL)';
  return query<KeyCounts>(
    name,
    `${READ[path].before}SELECT r.api_key_id AS "apiKeyId", count(*)::float8 AS "all", count(*) ${isLeft}::float8 AS requests,
          coalesce(sum(r.stored + r.pinned_notes) ${isLeft}, 0)::float8 AS rows
     FROM ${READ[path].from} AND ${CONDITIONS}
    GROUP BY r.api_key_id
    ORDER BY requests DESC, r.api_key_id`,
  );
}

export const STORED_REQUESTS: Readonly<Record<Path, Query<StoredRequest>>> = {
  account: listQuery('sent_requests.list_of_account', 'account'),
  time: listQuery('sent_requests.list_by_time', 'time'),
  request_id: listQuery('sent_requests.list_by_request_id', 'request_id'),
};
export const STORED_REQUEST_COUNTS: Readonly<Record<Path, Query<KeyCounts>>> = {
  account: countQuery('sent_requests.count_of_account', 'account'),
  time: countQuery('sent_requests.count_by_time', 'time'),
  request_id: countQuery('sent_requests.count_by_request_id', 'request_id'),
};

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
