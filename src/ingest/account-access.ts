import { AppError, fieldError, validationError } from '../infrastructure/errors/errors.js';
import type { QueryParameters } from '../infrastructure/database/query.js';
import type { SupplierStatus } from '../import-suppliers/import-supplier.entity.js';
import type { ImportRequest } from './import-request.js';
import { Columns } from './item-columns.js';

const ACCESS_COLUMNS = new Columns<ImportRequest>('request', {
  account_number: { type: 'text', read: ({ account }) => account.externalAccountNumber },
  api_key_id: { type: 'uuid', read: ({ caller }) => caller.apiKeyId },
  request_id: { type: 'text', read: ({ caller }) => caller.requestId },
  trace_id: { type: 'uuid', read: ({ caller }) => caller.traceId },
  item_count: { type: 'integer', read: ({ items, itemCount }) => itemCount ?? items.length },
  bytes: { type: 'integer', read: ({ caller }) => caller.bodyBytes ?? 0 },
  waited_ms: {
    type: 'integer',
    read: ({ caller }) => Math.round(performance.now() - caller.receivedAtMs),
  },
});

/** SQL for whether a request may store anything, over the joined rows of {@link accountAccess}. */
export const IS_OPEN = `(supplier.status = 'ongoing' AND account.external_account_number IS NOT NULL)`;

/**
 * The account access check as a common table expression. It decides which accounts a caller may import onto, in the snapshot
 * of the query that stores the rows. Every import query begins with it: `WITH ${accountAccess(…)}, …`.
 *
 * It returns one row per request, numbered `request_number` from 1. `is_open` says whether the supplier is ongoing and the
 * account is imported; only such requests may store rows. The supplier's columns are null when the caller has no grant for it.
 * The account's columns are null while it is not imported. `import_request_id` identifies the request in its record and on
 * every row it stores; `first_position` is the position of its first item among all items of the query.
 *
 * All requests of a query belong to one organisation, so its grant is looked up once.
 *
 * Select only the columns that the query needs. Each column of a common table expression is copied for each request, and adds
 * even more to the start-up cost of the query.
 *
 * @param needed select list of additional columns, from the table rows `supplier` and `account` and from `request`, which holds
 *   the parameters
 * @param own further columns of each request, including `import_request_id` if the request already has one
 * Source: choices A8, S2, S8, T10.
 */
export function accountAccess<Request extends ImportRequest>(needed: string, own?: Columns<Request>): string {
  return `
  access AS MATERIALIZED (
    SELECT request.request_number, request.first_position, request.api_key_id, request.request_id, request.trace_id,
           request.item_count, request.bytes, request.waited_ms${own ? `, ${own.listOf('request')}` : ''},
           supplier.status AS supplier_status, account.external_account_number,${own?.has('import_request_id') ? '' : ' uuidv7() AS import_request_id,'}
           ${IS_OPEN} AS is_open, ${needed}
      FROM (SELECT 1) AS always
      LEFT JOIN {import_supplier supplier}
        ON supplier.id = :import_supplier_id
       AND (SELECT 1
              FROM {import_supplier_grant g}
             WHERE g.import_supplier_id = :import_supplier_id AND g.organisation_id = :organisation_id
             LIMIT 1) IS NOT NULL
     CROSS JOIN (
        SELECT generate_subscripts(:first_positions::integer[], 1) AS request_number,
               unnest(:first_positions::integer[]) AS first_position, ${ACCESS_COLUMNS.unnested}${own ? `, ${own.unnested}` : ''}
      ) AS request
      LEFT JOIN LATERAL (
        SELECT a.*
          FROM {account_import a}
         WHERE a.import_supplier_id = :import_supplier_id
           AND a.external_account_number = request.account_number
           AND a.status = 'imported'
           AND supplier.id IS NOT NULL
         LIMIT 1
      ) AS account ON true
  )`;
}

/**
 * The parameters of {@link accountAccess}.
 *
 * @param further parameters of its own columns and of the rest of the query
 * @throws Error when the requests belong to more than one organisation
 */
export function accessValues(
  importSupplierId: number,
  requests: readonly ImportRequest[],
  ...further: QueryParameters[]
): QueryParameters {
  const organisationId = requests[0]?.caller.organisationId;
  let next = 1;
  const positions: number[] = [];
  for (const { items, caller } of requests) {
    // Otherwise the first organisation's grant would apply to all of them.
    if (caller.organisationId !== organisationId)
      throw new Error('Requests of several organisations share no query.');
    positions.push(next);
    next += items.length;
  }
  const own = {
    import_supplier_id: importSupplierId,
    organisation_id: organisationId,
    first_positions: `{${positions.join(',')}}`,
  };
  // With this many members, a spread takes ten times as long as Object.assign.
  return Object.assign(ACCESS_COLUMNS.values(requests), own, ...further) as QueryParameters;
}

/**
 * The columns of the access check that every import query returns, one row per request, in request order. A query's other
 * columns may be null when the account is not open; {@link requireOpenAccount} refuses such a row.
 */
export interface AccountAccess {
  /** Null when the supplier is not granted to the caller. */
  readonly supplier_status: SupplierStatus | null;
  readonly is_open: boolean | null;
}

/**
 * Refuse a request whose account is not open.
 *
 * @throws AppError `account_not_found`, or `validation_error` with `import_supplier_migration_not_ongoing`
 * Source: choices A8, S2, S8, T10.
 */
export function requireOpenAccount({ supplier_status, is_open }: AccountAccess): void {
  if (supplier_status === null) throw new AppError('account_not_found');
  if (supplier_status !== 'ongoing') {
    throw validationError([fieldError('import_supplier_migration_not_ongoing', 'import_supplier')]);
  }
  if (is_open !== true) throw new AppError('account_not_found');
}
