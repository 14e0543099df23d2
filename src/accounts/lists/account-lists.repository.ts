import { Injectable } from '@nestjs/common';
import { accountState, isLeased } from '../status/account-state.js';
import { failureCause } from '../importing/failure-cause.js';
import { query, run, type Query } from '../../infrastructure/database/query.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import { recordedCounts } from '../counts/account-counts.queries.js';
import { DIFFERENCES, type Difference } from '../counts/account-counts.types.js';
import type { AccountListFilter, ListedAccount } from './account-lists.types.js';

const OF_SUPPLIER = 'import_supplier_id = :import_supplier_id';

/** SQL for whether there is a row. EXISTS might read all rows of the supplier first. */
const isAny = (rows: string): string => `(SELECT 1 FROM ${rows} LIMIT 1) IS NOT NULL`;

const HAS_REQUEST = isAny(`{import_request r}
              WHERE r.${OF_SUPPLIER} AND r.external_account_number = a.external_account_number AND r.undone_at IS NULL`);

/** The filter `differs`, for lists that begin elsewhere. */
const DIFFERS = `(NOT :differs::boolean OR ${isAny(`{account_control k}
              WHERE k.${OF_SUPPLIER} AND k.external_account_number = a.external_account_number AND k.state <> 'agrees'`)})`;

/** SQL for the next accounts that meet a condition. */
const accountsWhere = (condition: string): string => `
         SELECT a.* FROM {account_import a}
          WHERE a.${OF_SUPPLIER} AND a.external_account_number > :after AND ${condition}
          ORDER BY a.external_account_number
          LIMIT :count_max::integer`;

/** SQL for the next accounts whose numbers are in a table. */
const accountsIn = (table: string, condition: string): string => `
         SELECT a.* FROM {${table} listed}
          CROSS JOIN LATERAL (
            SELECT account.* FROM {account_import account}
             WHERE account.${OF_SUPPLIER} AND account.external_account_number = listed.external_account_number
             LIMIT 1) AS a
          WHERE listed.${OF_SUPPLIER} AND listed.external_account_number > :after AND ${condition}
          ORDER BY listed.external_account_number
          LIMIT :count_max::integer`;

/**
 * Where a list begins: SQL for accounts that an index returns in the order of their numbers, without others between them or with
 * few. See decision 15 (docs/decisions/).
 */
const SOURCES = {
  all: accountsWhere('true'),
  // Written like the condition of the index account_import_imported; it means status = 'imported'.
  imported: accountsWhere('a.account_created_at IS NOT NULL'),
  pending: accountsWhere(
    `a.status <> 'imported' AND a.status = 'pending' AND NOT ${isLeased('a')} AND ${DIFFERS}`,
  ),
  failed: accountsWhere(`a.status <> 'imported' AND a.status = 'failed' AND ${DIFFERS}`),
  in_progress: `
         SELECT leased.* FROM {import_lease lease}
          CROSS JOIN LATERAL (${accountsWhere(
            `a.status <> 'imported' AND a.status = 'pending' AND ${DIFFERS}
              AND a.external_account_number BETWEEN lease.first_number AND lease.last_number`,
          )}) AS leased
          WHERE lease.${OF_SUPPLIER} AND lease.expires_at > clock_timestamp()
          ORDER BY leased.external_account_number
          LIMIT :count_max::integer`,
  cause: accountsWhere(`a.status = 'failed' AND ${failureCause('a')} = :cause AND ${DIFFERS}`),
  unloaded: accountsIn('unloaded_account', `a.status = 'imported' AND NOT ${HAS_REQUEST} AND ${DIFFERS}`),
  // Step from one account with requests to the next, as far as the list needs, so that the rows come in the order of account
  // numbers.
  loaded: `
         WITH RECURSIVE step AS (
           (SELECT r.external_account_number FROM {import_request r}
             WHERE r.${OF_SUPPLIER} AND r.external_account_number > :after
             ORDER BY r.external_account_number
             LIMIT 1)
           UNION ALL
           SELECT next.external_account_number
             FROM step
            CROSS JOIN LATERAL (
              SELECT r.external_account_number FROM {import_request r}
               WHERE r.${OF_SUPPLIER} AND r.external_account_number > step.external_account_number
               ORDER BY r.external_account_number
               LIMIT 1) AS next
         )
         SELECT a.* FROM step
          CROSS JOIN LATERAL (
            SELECT account.* FROM {account_import account}
             WHERE account.${OF_SUPPLIER} AND account.external_account_number = step.external_account_number
             LIMIT 1) AS a
          WHERE ${HAS_REQUEST}
          LIMIT :count_max::integer`,
  differing: `
         SELECT differing.* FROM unnest(:differences::text[]) AS wanted (state)
          CROSS JOIN LATERAL (${accountsIn(
            'account_control',
            `listed.state = wanted.state AND listed.state <> 'agrees' AND (:state::text IS NULL OR ${accountState('a')} = :state)
            AND (:load::text IS NULL OR ${HAS_REQUEST})`,
          )}) AS differing
          ORDER BY differing.external_account_number
          LIMIT :count_max::integer`,
} as const;
type Source = keyof typeof SOURCES;

function listFrom(source: Source): Query<ListedAccount> {
  return query<ListedAccount>(
    `account_lists.from_${source}`,
    `SELECT l.external_account_number AS "externalAccountNumber", ${accountState('l')} AS state,
            l.service_account_number AS "serviceAccountNumber", l.staged_at AS "stagedAt", l.account_created_at AS "accountCreatedAt",
            l.failure, l.failed_at AS "failedAt", stored.requests::float8 AS requests, stored.last_request_at AS "lastRequestAt",
            c.state AS control
       FROM (${SOURCES[source]}) AS l
       LEFT JOIN {account_control c} ON c.${OF_SUPPLIER} AND c.external_account_number = l.external_account_number
      CROSS JOIN LATERAL (${recordedCounts('l.external_account_number')}) AS stored
      ORDER BY l.external_account_number`,
  );
}

const LISTS = Object.fromEntries(
  (Object.keys(SOURCES) as Source[]).map((source) => [source, listFrom(source)]),
) as Record<Source, Query<ListedAccount>>;

/** Accounts of a supplier with filters. */
@Injectable()
export class AccountListsRepository {
  /** Accounts in the order of their numbers. @param after the number before the first account */
  list(
    tx: Tx,
    importSupplierId: number,
    filter: AccountListFilter,
    after: string,
    countMax: number,
  ): Promise<ListedAccount[]> {
    if (isUnsatisfiable(filter)) return Promise.resolve([]);
    const { state, load, differs, cause } = filter;
    return run(tx, LISTS[sourceOf(filter)], {
      ...{ import_supplier_id: importSupplierId, after, count_max: countMax },
      ...{ state: state ?? null, load: load ?? null, differs: differs === true, cause: cause ?? null },
      differences: differencesOf(filter),
    });
  }
}

/** Whether no account can meet all filters: only an imported account can have a load, and only a failed one a cause. */
function isUnsatisfiable({ state, load, cause }: AccountListFilter): boolean {
  if (load !== undefined) return cause !== undefined || (state ?? 'imported') !== 'imported';
  return cause !== undefined && (state ?? 'failed') !== 'failed';
}

/** The source that is expected to contain the fewest accounts that other filters exclude. */
function sourceOf({ state, load, differs, cause }: AccountListFilter): Source {
  if (cause !== undefined) return 'cause';
  if (state !== undefined && state !== 'imported') return state;
  if (load === 'none') return 'unloaded';
  if (differs === true) return 'differing';
  if (load === 'some') return 'loaded';
  return state ?? 'all';
}

/** The differences that accounts chosen by the other filters can have. */
function differencesOf({ state, load }: AccountListFilter): readonly Difference[] {
  const isImported = load !== undefined || state === 'imported';
  return isImported ? DIFFERENCES.filter((difference) => difference !== 'not_imported') : DIFFERENCES;
}
