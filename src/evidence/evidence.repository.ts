import { Injectable } from '@nestjs/common';
import { query, run, runForOne } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import type {
  AccountView,
  DownloadAction,
  Evidence,
  EvidenceCursor,
  EvidenceFilter,
  SignedInViewer,
} from './evidence.types.js';

/** Rows of one removal: a fraction of a second of work. */
const REMOVED_MAX = 5_000;

/**
 * One row an hour. Nothing of it that an index has is updated, so that counting leaves no dead entries in the indexes. Of an account
 * that is not there nothing is recorded.
 */
const RECORD_VIEW = query<{ count: number }>(
  'evidence.record_view',
  `INSERT INTO viewed AS v (viewer, action, import_supplier, external_account_number, hour, at, last_at, count, from_other_sites)
   SELECT :viewer::text, :action::text, :import_supplier::text, a.external_account_number,
          date_trunc('hour', now(), 'UTC'), now(), now(), 1, :from_other_sites::integer
     FROM account_import a
    WHERE a.import_supplier_id = :import_supplier_id AND a.external_account_number = :external_account_number
       ON CONFLICT (import_supplier, external_account_number, viewer, action, hour) DO UPDATE
      SET count = v.count + 1, last_at = greatest(v.last_at, excluded.last_at),
          from_other_sites = v.from_other_sites + excluded.from_other_sites
   RETURNING count`,
);

/** Of all accounts of a supplier. */
const RECORD_OF_SUPPLIER = query<never>(
  'evidence.record_of_supplier',
  `INSERT INTO viewed AS v (viewer, action, import_supplier, external_account_number, hour, at, last_at, count, from_other_sites)
   VALUES (:viewer, :action, :import_supplier, '', date_trunc('hour', now(), 'UTC'), now(), now(), :count, :from_other_sites)
       ON CONFLICT (import_supplier, external_account_number, viewer, action, hour) DO UPDATE
      SET count = v.count + excluded.count, last_at = greatest(v.last_at, excluded.last_at),
          from_other_sites = v.from_other_sites + excluded.from_other_sites`,
);

const RECORD_SIGN_IN = query<never>(
  'evidence.record_sign_in',
  `INSERT INTO viewed (viewer, action, session_id, hour, at, last_at, count)
   VALUES (:viewer, :action, :session_id::uuid, date_trunc('hour', now(), 'UTC'), now(), now(), 1)`,
);

/** A row is of the hour of its first view, so those of an hour are read that may have a later one. */
const LIST = query<Evidence>(
  'evidence.list',
  `SELECT v.id, v.at, v.at::text AS exact_at, v.last_at, v.count, v.from_other_sites, v.viewer AS operator, v.action,
          coalesce(nullif(v.external_account_number, ''), v.session_id::text, v.import_supplier) AS subject,
          v.import_supplier
     FROM viewed v
    WHERE v.at >= date_trunc('hour', :since::timestamptz, 'UTC') AND v.last_at >= :since::timestamptz
      AND (v.at, v.id) < (:before_at::timestamptz, :before_id::uuid)
      AND (:import_supplier::text IS NULL OR v.import_supplier = :import_supplier)
      AND (:operator::text IS NULL OR v.viewer = :operator)
    ORDER BY v.at DESC, v.id DESC
    LIMIT :count_max::integer`,
);

/** The oldest first, without those that another process is removing. */
const REMOVE_OLD = query<{ count: number }>(
  'evidence.remove_old',
  `WITH removed AS (
     DELETE FROM viewed
      WHERE id = ANY (ARRAY(
              SELECT oldest.id
                FROM viewed oldest
               WHERE oldest.at < now() - make_interval(days => :days::integer)
               ORDER BY oldest.at
               LIMIT ${REMOVED_MAX}
                 FOR UPDATE SKIP LOCKED
            ))
     RETURNING id
   )
   SELECT count(*)::integer AS count FROM removed`,
);

/** Waits for whoever is recording a view of an account that was there before; it takes milliseconds. */
const LOCK = query<never>('evidence.lock', 'LOCK TABLE viewed IN SHARE ROW EXCLUSIVE MODE');

const REMOVE_OF_ACCOUNTS = query<{ count: number }>(
  'evidence.remove_of_accounts',
  `WITH removed AS (
     DELETE FROM viewed
      WHERE id = ANY (ARRAY(
              SELECT v.id
                FROM viewed v
               WHERE v.import_supplier = :import_supplier
                 AND v.external_account_number = ANY (:account_numbers::text[])
               LIMIT ${REMOVED_MAX}
            ))
     RETURNING id
   )
   SELECT count(*)::integer AS count FROM removed`,
);

/** The table `viewed`. It is not distributed: a sign-in belongs to no supplier, and the list is in the order of time. */
@Injectable()
export class EvidenceRepository {
  /** @returns whether there is such an account */
  async recordView(tx: Tx, { viewer, action, isFromAnotherSite, ...account }: AccountView): Promise<boolean> {
    const rows = await run(tx, RECORD_VIEW, {
      ...{ viewer, action },
      import_supplier: account.importSupplier,
      import_supplier_id: account.importSupplierId,
      external_account_number: account.externalAccountNumber,
      from_other_sites: isFromAnotherSite === true ? 1 : 0,
    });
    return rows.length > 0;
  }

  /** @param count how often it happened @param fromOtherSites how many of them began on another site */
  async recordOfSupplier(
    tx: Tx,
    action: DownloadAction | 'feed.read',
    viewer: string,
    importSupplier: string,
    count: number,
    fromOtherSites = 0,
  ): Promise<void> {
    await run(tx, RECORD_OF_SUPPLIER, {
      ...{ viewer, action, import_supplier: importSupplier, count },
      from_other_sites: fromOtherSites,
    });
  }

  async recordSession(
    tx: Tx,
    action: 'console.sign_in' | 'console.sign_out',
    { viewer, sessionId }: SignedInViewer,
  ): Promise<void> {
    await run(tx, RECORD_SIGN_IN, { viewer, action, session_id: sessionId });
  }

  /** A page of the rows, newest first. @param before the last row of the page before */
  list(
    tx: Tx,
    filter: EvidenceFilter,
    before: EvidenceCursor | undefined,
    countMax: number,
  ): Promise<Evidence[]> {
    return run(tx, LIST, {
      since: filter.since ?? '-infinity',
      before_at: before?.exact_at ?? 'infinity',
      before_id: before?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      import_supplier: filter.importSupplier ?? null,
      operator: filter.operator ?? null,
      count_max: countMax,
    });
  }

  /** @returns how many; 0 when none is left that is so many days old */
  async removeOld(tx: Tx, days: number): Promise<number> {
    return (await runForOne(tx, REMOVE_OLD, { days })).count;
  }

  /** @param accountNumbers of accounts that are deleted; @returns how many; 0 when none is left, and none will come */
  async removeOfAccounts(tx: Tx, importSupplier: string, accountNumbers: readonly string[]): Promise<number> {
    await run(tx, LOCK, {});
    const parameters = { import_supplier: importSupplier, account_numbers: accountNumbers };
    return (await runForOne(tx, REMOVE_OF_ACCOUNTS, parameters)).count;
  }
}
