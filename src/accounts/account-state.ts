/** Where an account import stands (contract S3); `in_progress` is a pending one that somebody is importing just now. */
export type AccountState = 'pending' | 'in_progress' | 'imported' | 'failed';

/**
 * SQL for whether an importer is at work on a pending account just now: it lies in a stretch that somebody has claimed.
 * A claim whose time is over counts for nothing, so an importer that was killed leaves no account in progress.
 *
 * @param account alias of account_import in the statement
 */
export function isClaimed(account: string): string {
  return `EXISTS (
    SELECT FROM import_lease c
     WHERE c.import_supplier_id = ${account}.import_supplier_id
       AND ${account}.external_account_number BETWEEN c.first_number AND c.last_number
       AND c.expires_at > clock_timestamp()
  )`;
}

/** SQL for an account's {@link AccountState}. */
export function accountState(account: string): string {
  return `CASE WHEN ${account}.status = 'pending' AND ${isClaimed(account)} THEN 'in_progress' ELSE ${account}.status END`;
}
