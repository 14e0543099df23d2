/** State of an account import (choice S3). `in_progress` is a pending account on which an importer holds a lease. */
export type AccountState = 'pending' | 'in_progress' | 'imported' | 'failed';

/**
 * SQL for whether a pending account is being imported, that is, whether its number is in a leased chunk. An expired lease does
 * not count, so an importer that was killed leaves no account in progress.
 *
 * @param account alias of account_import in the query; its supplier is the parameter `:import_supplier_id`
 */
export function isLeased(account: string): string {
  return `EXISTS (
    SELECT FROM {import_lease lease}
     WHERE lease.import_supplier_id = :import_supplier_id
       AND ${account}.external_account_number BETWEEN lease.first_number AND lease.last_number
       AND lease.expires_at > clock_timestamp()
  )`;
}

export function accountState(account: string): string {
  return `CASE WHEN ${account}.status = 'pending' AND ${isLeased(account)} THEN 'in_progress' ELSE ${account}.status END`;
}
