import { ITEM_NAMES } from '../../infrastructure/item-names/item-names.js';

/** The columns of the totals that are sums over the changes. */
export const COUNTS = [
  'requests',
  ...ITEM_NAMES,
  ...['pinned_notes', 'amount', 'pending', 'imported', 'failed'],
] as const;

/**
 * SQL for the accounts of changes: their numbers, and whether each has an import request that is not undone with the
 * changes (`is_loaded`) and without them (`was_loaded`). An account was loaded before if it now has more requests than the
 * changes have added. The requests are read in the order of the primary key, so that the planner does not choose an index
 * without the account while it believes that the table is empty.
 *
 * @param changes name of a common table expression: all changes that the query sees of some accounts of a supplier, its
 *   parameter `:import_supplier_id`
 */
export function changedAccounts(changes: string): string {
  return `
       SELECT account.external_account_number, present.requests > 0 AS is_loaded, present.requests > account.requests AS was_loaded
         FROM (SELECT c.external_account_number, coalesce(sum(c.requests), 0) AS requests
                 FROM ${changes} c
                WHERE c.external_account_number IS NOT NULL
                GROUP BY c.external_account_number) AS account
        CROSS JOIN LATERAL (
          SELECT count(*) AS requests
            FROM (SELECT
                    FROM {import_request r}
                   WHERE r.import_supplier_id = :import_supplier_id
                     AND r.external_account_number = account.external_account_number
                     AND r.undone_at IS NULL
                   ORDER BY r.id
                   LIMIT greatest(account.requests, 0) + 1) AS counted
        ) AS present`;
}

/** SQL for how much the number of loaded accounts changes. @param accounts a relation of {@link changedAccounts} */
export function loadedAccounts(accounts: string): string {
  return `(SELECT coalesce(sum(p.is_loaded::integer - p.was_loaded::integer), 0) FROM ${accounts} AS p)`;
}
