import { ITEM_NAMES } from '../items/items.js';

/** The columns of the totals that are sums of those of the changes. */
export const COUNTS = ['requests', ...ITEM_NAMES, ...['amount', 'pending', 'imported', 'failed']] as const;

/**
 * SQL for how changes change the number of accounts that have any import request which is not undone. An account counts when it has more
 * requests now than the changes have added to it, and afterwards when it has any. They are read in the order of the primary key,
 * so that the planner takes no index without the account while it believes that the table is empty.
 *
 * @param changes name of a common table expression: all changes that the query sees of some accounts of a supplier, its
 *   parameter `:import_supplier_id`
 */
export function loadedAccounts(changes: string): string {
  return `(
       SELECT coalesce(sum((present.requests > 0)::integer - (present.requests > account.requests)::integer), 0)
         FROM (SELECT c.external_account_number, sum(c.requests) AS requests
                 FROM ${changes} c
                WHERE c.requests IS NOT NULL
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
        ) AS present
     )`;
}
