import { query } from '../../infrastructure/database/query.js';
import { compared } from '../../accounts/counts/account-counts.queries.js';
import { changedAccounts, COUNTS, loadedAccounts } from './totals.queries.js';
import type { CheckedTotals, WrongAccounts } from './totals.types.js';
import { ITEMS } from '../../ingest/kinds/items.js';

const NAMES = [...COUNTS, 'loaded_accounts'] as const;

/** SQL for the sum of a column over the waiting changes, or for how they change the number of accounts with import requests. */
const waiting = (name: (typeof NAMES)[number]): string =>
  name === 'loaded_accounts'
    ? loadedAccounts('present')
    : `(SELECT coalesce(sum(w.${name}), 0) FROM waiting w)`;

const countOf = (table: string): string =>
  `(SELECT count(*) FROM {${table} item} WHERE item.import_supplier_id = :import_supplier_id)`;

/** Both sides of a comparison, and the values that the totals need in order to agree once the waiting changes are added. */
export interface ComparedTotals {
  readonly totals: CheckedTotals;
  readonly rows: CheckedTotals;
  readonly repaired: CheckedTotals;
}

/**
 * The totals with the changes that wait for them, and the rows, in one snapshot. In it a change and its rows are either
 * both there or both missing.
 */
export const COMPARE = query<ComparedTotals>(
  'accounts.compare_totals',
  `WITH waiting AS MATERIALIZED (
     SELECT * FROM {supplier_change c} WHERE c.import_supplier_id = :import_supplier_id
   ),
   present AS MATERIALIZED (${changedAccounts('waiting')}
   ),
   change AS MATERIALIZED (SELECT ${NAMES.map((name) => `${waiting(name)} AS ${name}`).join(', ')}),
   stored AS MATERIALIZED (
     SELECT requests.requests, requests.loaded_accounts, requests.pinned_notes,
            ${Object.entries(ITEMS)
              .filter(([name]) => name !== 'transactions')
              .map(([name, { table }]) => `${countOf(table)} AS ${name}`)
              .join(', ')},
            booked.transactions, booked.amount, accounts.pending, accounts.imported, accounts.failed
       FROM (SELECT count(*) AS transactions, coalesce(sum(b.amount), 0.00) AS amount
               FROM {transaction b}
              WHERE b.import_supplier_id = :import_supplier_id) AS booked,
            (SELECT coalesce(sum(of_account.requests), 0) AS requests, count(*) AS loaded_accounts,
                    coalesce(sum(of_account.pinned_notes), 0) AS pinned_notes
               FROM (SELECT count(*) AS requests, sum(r.pinned_notes) AS pinned_notes
                       FROM {import_request r}
                      WHERE r.import_supplier_id = :import_supplier_id AND r.undone_at IS NULL
                      GROUP BY r.external_account_number) AS of_account) AS requests,
            (SELECT count(*) FILTER (WHERE a.status = 'pending') AS pending,
                    count(*) FILTER (WHERE a.status = 'imported') AS imported,
                    count(*) FILTER (WHERE a.status = 'failed') AS failed
               FROM {account_import a}
              WHERE a.import_supplier_id = :import_supplier_id) AS accounts
   )
   SELECT ${jsonOf('totals', (name) => `coalesce(t.${name}, 0) + change.${name}`)},
          ${jsonOf('rows', (name) => `stored.${name}`)},
          ${jsonOf('repaired', (name) => `stored.${name} - change.${name}`)}
     FROM {import_supplier s}
     LEFT JOIN {supplier_total t} ON t.import_supplier_id = :import_supplier_id
    CROSS JOIN change
    CROSS JOIN stored
    WHERE s.id = :import_supplier_id`,
);

/** The amount is a string, so that it stays exact. */
function jsonOf(alias: string, valueOf: (name: (typeof NAMES)[number]) => string): string {
  const members = NAMES.map((name) =>
    name === 'amount' ? `'amount', (0.00 + ${valueOf(name)})::text` : `'${name}', ${valueOf(name)}`,
  );
  return `json_build_object(${members.join(', ')}) AS ${alias}`;
}

/** Replaces the totals. The transaction holds the lock of the totals and has compared them. */
export const REPLACE = query<never>(
  'accounts.replace_totals',
  `UPDATE {supplier_total}
      SET ${NAMES.map((name) => `${name} = :${name}`).join(', ')},
          last_request_at = (SELECT max(r.stored_at) FROM {import_request r} WHERE r.import_supplier_id = :import_supplier_id)
    WHERE import_supplier_id = :import_supplier_id AND {held}`,
);

const COMPARED = compared('c');

/** EXCEPT compares sets in one pass over each, whatever sizes the planner expects. */
const numbersOf = (table: string, condition: string): string =>
  `SELECT item.external_account_number FROM {${table} item} WHERE item.import_supplier_id = :import_supplier_id${condition}`;

/** The imported accounts that have no import request, or only undone ones. */
const UNLOADED = `
     ${numbersOf('account_import', ` AND item.status = 'imported'`)}
     EXCEPT
     ${numbersOf('import_request', ' AND item.undone_at IS NULL')}`;

/**
 * Accounts with a wrong stored result, although none of their changes waits. There are none unless something is broken.
 */
export const WRONG_ACCOUNTS = query<WrongAccounts>(
  'accounts.count_misjudged',
  `WITH unloaded AS MATERIALIZED (${UNLOADED}
   ),
   kept AS MATERIALIZED (
     ${numbersOf('unloaded_account', '')}
   )
   SELECT (SELECT count(*)
             FROM {account_control c}
            WHERE c.import_supplier_id = :import_supplier_id
              AND NOT EXISTS (SELECT
                                FROM {supplier_change w}
                               WHERE w.import_supplier_id = :import_supplier_id
                                 AND w.external_account_number = c.external_account_number)
              AND ${COMPARED.where})::integer AS controls,
          (SELECT count(*)
             FROM ((TABLE unloaded EXCEPT TABLE kept) UNION ALL (TABLE kept EXCEPT TABLE unloaded)
                   EXCEPT
                   ${numbersOf('supplier_change', '')}) AS wrong)::integer AS unloaded
     FROM {import_supplier s}
    WHERE s.id = :import_supplier_id`,
);

/** Compares all accounts with their control totals again. */
export const JUDGE_ALL = query<never>(
  'accounts.judge_all_controls',
  `UPDATE {account_control c}
      SET ${COMPARED.set}
    WHERE c.import_supplier_id = :import_supplier_id AND ${COMPARED.where} AND {held}`,
);

/**
 * Accounts with waiting changes are corrected when these are carried over. An account that was erased since the snapshot is
 * left out.
 */
export const REPLACE_UNLOADED = query<never>(
  'accounts.replace_unloaded',
  `WITH found AS MATERIALIZED (${UNLOADED}
   ),
   added AS (
     INSERT INTO {unloaded_account} (import_supplier_id, external_account_number)
     SELECT :import_supplier_id, a.external_account_number
       FROM {account_import a}
      WHERE a.import_supplier_id = :import_supplier_id AND a.external_account_number IN (SELECT found.external_account_number FROM found)
        FOR KEY SHARE
         ON CONFLICT DO NOTHING
   )
   DELETE FROM {unloaded_account u}
    WHERE u.import_supplier_id = :import_supplier_id
      AND u.external_account_number NOT IN (SELECT found.external_account_number FROM found)
      AND {held}`,
);
