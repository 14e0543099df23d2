/** State of an account import (choice S3); `in_progress` is a pending one that an importer holds a lease on. */
export type AccountState = 'pending' | 'in_progress' | 'imported' | 'failed';

/**
 * SQL for whether a pending account is being imported: its number is in a leased chunk. An expired lease does not count, so
 * an importer that was killed leaves no account in progress.
 *
 * @param account alias of account_import in the query, whose supplier is its parameter `:import_supplier_id`
 */
export function isLeased(account: string): string {
  return `EXISTS (
    SELECT FROM {import_lease lease}
     WHERE lease.import_supplier_id = :import_supplier_id
       AND ${account}.external_account_number BETWEEN lease.first_number AND lease.last_number
       AND lease.expires_at > clock_timestamp()
  )`;
}

/** SQL for an account's {@link AccountState}. */
export function accountState(account: string): string {
  return `CASE WHEN ${account}.status = 'pending' AND ${isLeased(account)} THEN 'in_progress' ELSE ${account}.status END`;
}
