import { Injectable } from '@nestjs/common';
import { requestCounts } from './request-counts.js';
import { prefixEnd } from '../common/prefix-end.js';
import { query, run, type Query, type QueryParameters } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import { isOwn, type OwnApiKeyIds } from './own.js';
import type { KeyCounts, RequestCursor, RequestFilter, StoredRequest } from './stored-requests.types.js';

type RequestRow = StoredRequest & RequestCursor;

/** By what requests are found. */
type Path = 'account' | 'time' | 'request_id';

const HAS_PREFIX = 'r.request_id ~>=~ :request_prefix AND r.request_id ~<~ :request_prefix_end';

/**
 * The requests of a supplier that are read, by one of three indexes. Those with a request id are a part of their own, because otherwise
 * the planner would choose the index for the order of the result, and read all requests of the supplier.
 */
const READ: Readonly<Record<Path, { readonly before: string; readonly from: string }>> = {
  account: {
    before: '',
    from: `{import_request r}
    WHERE r.import_supplier_id = :import_supplier_id AND r.external_account_number = :external_account_number
      AND (:request_prefix::text IS NULL OR ${HAS_PREFIX})`,
  },
  time: { before: '', from: '{import_request r} WHERE r.import_supplier_id = :import_supplier_id' },
  request_id: {
    before: `WITH found AS MATERIALIZED (
     SELECT * FROM {import_request r} WHERE r.import_supplier_id = :import_supplier_id AND ${HAS_PREFIX}
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
 * A page of requests, newest first; those of an account are in the order of their key. The requests of one transaction have the same
 * moment, and are in the same page, however many they are.
 */
function listQuery(name: string, path: Path): Query<RequestRow> {
  const page =
    path === 'account'
      ? 'AND r.id < :before_id::uuid ORDER BY r.id DESC LIMIT :count_max::integer'
      : 'ORDER BY r.stored_at DESC FETCH FIRST (:count_max::bigint) ROWS WITH TIES';
  return query<RequestRow>(
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

const LISTS: Readonly<Record<Path, Query<RequestRow>>> = {
  account: listQuery('sent_requests.list_of_account', 'account'),
  time: listQuery('sent_requests.list_by_time', 'time'),
  request_id: listQuery('sent_requests.list_by_request_id', 'request_id'),
};
const COUNTS: Readonly<Record<Path, Query<KeyCounts>>> = {
  account: countQuery('sent_requests.count_of_account', 'account'),
  time: countQuery('sent_requests.count_by_time', 'time'),
  request_id: countQuery('sent_requests.count_by_request_id', 'request_id'),
};

/** The records of the import requests of a supplier. */
@Injectable()
export class StoredRequestsRepository {
  /**
   * @param withUndone whether also those that are undone
   * @param before the last one of the page before
   * @param countMax of those that are not of the same moment as the last one
   */
  list(
    tx: Tx,
    ownApiKeyIds: OwnApiKeyIds,
    importSupplierId: number,
    filter: RequestFilter,
    withUndone: boolean,
    before: RequestCursor | undefined,
    countMax: number,
  ): Promise<RequestRow[]> {
    const path = pathOf(filter);
    return run(tx, LISTS[path], {
      ...parametersOf(ownApiKeyIds, importSupplierId, filter),
      ...(before && path !== 'account' && { until: before.exact_at }),
      before_id: before?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      with_undone: withUndone,
      count_max: countMax,
    });
  }

  /** How many a filter finds, by API keys. */
  count(
    tx: Tx,
    ownApiKeyIds: OwnApiKeyIds,
    importSupplierId: number,
    filter: RequestFilter,
  ): Promise<KeyCounts[]> {
    return run(tx, COUNTS[pathOf(filter)], parametersOf(ownApiKeyIds, importSupplierId, filter));
  }
}

function pathOf({ externalAccountNumber, requestId, requestPrefix }: RequestFilter): Path {
  if (externalAccountNumber !== undefined) return 'account';
  return requestId === undefined && requestPrefix === undefined ? 'time' : 'request_id';
}

function parametersOf(
  ownApiKeyIds: OwnApiKeyIds,
  importSupplierId: number,
  filter: RequestFilter,
): QueryParameters {
  const { requestId, requestPrefix, externalAccountNumber, since, until, apiKeyId, kind } = filter;
  return {
    own_api_key_ids: ownApiKeyIds,
    import_supplier_id: importSupplierId,
    ...rangeOf(requestId, requestPrefix),
    external_account_number: externalAccountNumber ?? null,
    since: since?.toISOString() ?? '-infinity',
    until: until?.toISOString() ?? 'infinity',
    api_key_id: apiKeyId ?? null,
    kind: kind ?? null,
  };
}

/** The range of the request ids. No text is between an id and the same with the smallest character at its end. */
function rangeOf(requestId: string | undefined, requestPrefix: string | undefined): QueryParameters {
  if (requestId !== undefined) {
    return { request_prefix: requestId, request_prefix_end: `${requestId}\u0001` };
  }
  return {
    request_prefix: requestPrefix ?? null,
    request_prefix_end: requestPrefix ? prefixEnd(requestPrefix) : null,
  };
}
