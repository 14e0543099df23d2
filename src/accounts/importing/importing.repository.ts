import { Injectable } from '@nestjs/common';
import { isOnSeveralNodes } from '../../infrastructure/database/citus/database-kind.js';
import { query, run, runForOne } from '../../infrastructure/database/query.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import { importWithDrawnNumbers, type ImportedAccount } from './imported-accounts.js';
import { recordChanges } from '../../infrastructure/change-log/record-changes.js';

/** One importer's exclusive right to import a chunk of account numbers. Both ends are included. */
export interface Lease {
  readonly id: string;
  readonly first_number: string;
  readonly last_number: string;
  /** Pending accounts in the chunk when the lease was acquired. */
  readonly size: number;
}

/** Outcome of a chunk, in accounts. */
export interface ImportedChunk {
  readonly imported: number;
  readonly failed: number;
  /** Numbers of accounts that stay pending because an earlier account with the same number is being erased. */
  readonly erasing: readonly string[];
}

/** Lifetime of a lease. Importing a chunk takes a fraction of a second. */
export const LEASE_SECONDS = 30;

const PURGE_EXPIRED = query<never>(
  'accounts.purge_expired_leases',
  `DELETE FROM import_lease WHERE import_supplier_id = :import_supplier_id AND expires_at <= now()`,
);

/**
 * Acquire a lease on the next chunk after a number. The chunk begins with the first pending account without a lease, and ends
 * before the next lease begins, so leases never overlap.
 */
const ACQUIRE = query<Lease>(
  'accounts.acquire_lease',
  `WITH beginning AS (
     SELECT a.external_account_number AS number
       FROM account_import a
      WHERE a.import_supplier_id = :import_supplier_id
        AND a.status = 'pending'
        AND a.external_account_number > :after
        AND a.external_account_number <> ALL (:erasing::text[])
        AND NOT EXISTS (
          SELECT FROM import_lease c
           WHERE c.import_supplier_id = :import_supplier_id
             AND a.external_account_number BETWEEN c.first_number AND c.last_number
        )
      ORDER BY a.external_account_number
      LIMIT 1
   ),
   chunk AS (
     SELECT a.external_account_number AS number
       FROM account_import a
      WHERE a.import_supplier_id = :import_supplier_id
        AND a.status = 'pending'
        AND a.external_account_number >= (SELECT number FROM beginning)
        AND a.external_account_number <> ALL (:erasing::text[])
        AND a.external_account_number < ALL (
          SELECT c.first_number
            FROM import_lease c
           WHERE c.import_supplier_id = :import_supplier_id AND c.first_number > (SELECT number FROM beginning)
        )
      ORDER BY a.external_account_number
      LIMIT :size_max
   ),
   bounds AS (
     SELECT min(number) AS first_number, max(number) AS last_number, count(*)::integer AS size FROM chunk
   ),
   lease AS (
     INSERT INTO import_lease (import_supplier_id, first_number, last_number, held_by, expires_at)
     SELECT :import_supplier_id, first_number, last_number, :holder, clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
       FROM bounds
      WHERE size > 0
     RETURNING id
   )
   SELECT lease.id, bounds.first_number, bounds.last_number, bounds.size FROM lease, bounds`,
);

/** SQL for the first and last day of the period that an account would get if it were imported today. */
export const startsOn = (account: string): string => `coalesce(${account}.open_statement_from, :today::date)`;
export const endsOn = (account: string): string => `coalesce(${account}.open_statement_to, :today::date)`;

/**
 * SQL that imports a leased chunk and releases the lease, in one query.
 *
 * The importer that deletes the lease's row imports the chunk, and a row can be deleted only once. If the lease expired and
 * another importer purged it, this query does nothing. The query updates only pending accounts, and PostgreSQL checks a row again
 * if another transaction changed it meanwhile. So no account is imported twice.
 *
 * @param number SQL for the platform account number of an account `a`
 * @param drawn SQL for a further table in FROM, or empty
 * @param isInChunk SQL condition for the accounts of the chunk
 */
const importSql = (number: string, drawn: string, isInChunk: string): string => `
   WITH lease AS (
     DELETE FROM import_lease WHERE import_supplier_id = :import_supplier_id AND id = :lease_id RETURNING id
   ),
   done AS (
     UPDATE account_import a
        SET (status, service_account_number, account_created_at, open_statement_from, failure, failed_at) = (
          SELECT CASE WHEN period.is_right THEN 'imported' ELSE 'failed' END,
                 CASE WHEN period.is_right THEN ${number} END,
                 CASE WHEN period.is_right THEN now() END,
                 CASE WHEN period.is_right THEN period.starts_on ELSE a.open_statement_from END,
                 CASE WHEN NOT period.is_right THEN
                   format('The open statement period would begin on %s and end on %s, before it begins.',
                          period.starts_on, period.ends_on)
                 END,
                 CASE WHEN NOT period.is_right THEN now() END
            FROM (SELECT s.starts_on, s.ends_on, s.starts_on <= s.ends_on AS is_right
                    FROM (SELECT ${startsOn('a')} AS starts_on, ${endsOn('a')} AS ends_on) AS s) AS period
        )
       FROM lease, import_supplier s${drawn}
      WHERE s.id = :import_supplier_id
        AND s.status = 'ongoing'
        AND a.import_supplier_id = :import_supplier_id
        AND ${isInChunk}
        AND a.status = 'pending'
     RETURNING a.external_account_number, a.service_account_number
   )
   SELECT external_account_number, service_account_number FROM done`;

const IMPORT = query<ImportedAccount>(
  'accounts.import',
  importSql(
    'next_service_account_number()',
    '',
    'a.external_account_number BETWEEN :first_number AND :last_number',
  ),
);

/** {@link IMPORT} with account numbers that were drawn before. */
const IMPORT_WITH_NUMBERS = query<ImportedAccount>(
  'accounts.import_with_numbers',
  importSql(
    'drawn.number',
    ', unnest(:account_numbers::text[], :numbers::text[]) AS drawn (account_number, number)',
    'a.external_account_number = drawn.account_number',
  ),
);

const IS_ANY_LEASED = query<{ is_leased: boolean }>(
  'accounts.is_any_leased',
  `SELECT EXISTS (
     SELECT FROM import_lease c
      WHERE c.import_supplier_id = :import_supplier_id
        AND EXISTS (
          SELECT FROM account_import a
           WHERE a.import_supplier_id = :import_supplier_id
             AND a.status = 'pending'
             AND a.external_account_number BETWEEN c.first_number AND c.last_number
        )
   ) AS is_leased`,
);

const COUNT_PENDING = query<{ pending: number }>(
  'accounts.count_pending',
  `SELECT count(*)::integer AS pending FROM account_import WHERE import_supplier_id = :import_supplier_id AND status = 'pending'`,
);

@Injectable()
export class ImportingRepository {
  /** Delete expired leases. Their importers were killed, or are so late that they must not continue. */
  async purgeExpiredLeases(tx: Tx, importSupplierId: number): Promise<void> {
    await run(tx, PURGE_EXPIRED, { import_supplier_id: importSupplierId });
  }

  /**
   * @param after the chunk begins after this number; `''` for the start
   * @param erasing numbers of accounts to leave out
   * @param holder names the importer, for operators who inspect the table
   * @returns undefined if there is no pending account without a lease after the number
   */
  async acquireLease(
    tx: Tx,
    importSupplierId: number,
    after: string,
    erasing: readonly string[],
    sizeMax: number,
    holder: string,
  ): Promise<Lease | undefined> {
    const [row] = await run(tx, ACQUIRE, {
      import_supplier_id: importSupplierId,
      after,
      erasing,
      size_max: sizeMax,
      holder,
    });
    return row;
  }

  /**
   * Import the pending accounts of a leased chunk, if the lease is still held and the supplier is ongoing.
   *
   * @param today calendar day in the platform's time zone (choice S6)
   */
  async import(
    tx: Tx,
    importSupplierId: number,
    { id, first_number, last_number }: Lease,
    today: string,
  ): Promise<ImportedChunk> {
    const parameters = {
      import_supplier_id: importSupplierId,
      lease_id: id,
      ...{ first_number, last_number },
      today,
    };
    const { done, erasing } = isOnSeveralNodes(tx)
      ? await importWithDrawnNumbers(tx, parameters, (accounts) =>
          run(tx, IMPORT_WITH_NUMBERS, { ...parameters, ...accounts }),
        )
      : { done: await run(tx, IMPORT, parameters), erasing: [] };
    const numbers = numbersOfImported(done);
    const failed = done.length - numbers.length;
    await recordChanges(tx, importSupplierId, [
      { pending: -done.length, imported: numbers.length, failed },
      ...numbers.map((number) => ({ type: 'account.imported' as const, external_account_number: number })),
    ]);
    return { imported: numbers.length, failed, erasing };
  }

  async isAnyLeased(tx: Tx, importSupplierId: number): Promise<boolean> {
    const { is_leased } = await runForOne(tx, IS_ANY_LEASED, { import_supplier_id: importSupplierId });
    return is_leased;
  }

  async countPending(tx: Tx, importSupplierId: number): Promise<number> {
    const { pending } = await runForOne(tx, COUNT_PENDING, { import_supplier_id: importSupplierId });
    return pending;
  }
}

function numbersOfImported(done: readonly ImportedAccount[]): string[] {
  return done
    .filter(({ service_account_number }) => service_account_number !== null)
    .map(({ external_account_number }) => external_account_number);
}
