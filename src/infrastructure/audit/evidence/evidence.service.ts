import { Injectable } from '@nestjs/common';
import { run, runForOne, type QueryParameters } from '../../database/query.js';
import { UnitOfWork, type Tx } from '../../database/unit-of-work.js';
import {
  FORGET_READERS,
  LIST,
  LOCK,
  RECORD_OF_SUPPLIER,
  RECORD_SESSION,
  RECORD_VIEW,
  REMOVE_OF_ACCOUNTS,
  REMOVE_OLD,
} from './evidence.queries.js';
import type {
  AccountView,
  DownloadAction,
  Evidence,
  EvidenceCursor,
  EvidenceFilter,
  SignedInViewer,
} from './evidence.types.js';

/**
 * Records who signed in, and who saw which customer's data. This evidence is separate from the log of changes (audit/), because
 * tenants cause it: it is counted by the hour, kept for a limited time, and removed with the account.
 *
 * Source: choice O6.
 */
@Injectable()
export class EvidenceService {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Record that a user is about to see data of an account.
   *
   * @returns false if the account does not exist or no longer exists; then none of its data may be shown
   * Source: choices C5, C6, V1.
   */
  async recordView({ viewer, action, isFromAnotherSite, ...account }: AccountView): Promise<boolean> {
    const rows = await this.work.onCoordinator(account.importSupplierId, () =>
      this.work.query((tx) =>
        run(tx, RECORD_VIEW, {
          ...{ viewer, action },
          import_supplier: account.importSupplier,
          import_supplier_id: account.importSupplierId,
          external_account_number: account.externalAccountNumber,
          from_other_sites: isFromAnotherSite === true ? 1 : 0,
        }),
      ),
    );
    return rows.length > 0;
  }

  /**
   * Record that a user is about to download failures, accounts or missing documents.
   *
   * @param viewer the user, and whether the request came from a link on another site
   * Source: choices C1, C9, C10, F5, O6.
   */
  async recordDownload(
    action: DownloadAction,
    { recordedAs, isFromAnotherSite }: { recordedAs: string; isFromAnotherSite?: boolean | undefined },
    importSupplier: string,
  ): Promise<void> {
    await this.recordOfSupplier(action, recordedAs, importSupplier, 1, isFromAnotherSite === true ? 1 : 0);
  }

  /** @param count how often it happened @param fromOtherSites how many of these came from another site */
  async recordOfSupplier(
    action: DownloadAction | 'feed.read',
    viewer: string,
    importSupplier: string,
    count: number,
    fromOtherSites = 0,
  ): Promise<void> {
    const parameters = { viewer, action, import_supplier: importSupplier, count };
    await this.work.query((tx) =>
      run(tx, RECORD_OF_SUPPLIER, { ...parameters, from_other_sites: fromOtherSites }),
    );
  }

  /** Record that a session begins, or that its user ends it, in the same transaction. */
  async recordSession(
    tx: Tx,
    action: 'console.sign_in' | 'console.sign_out',
    { viewer, sessionId }: SignedInViewer,
  ): Promise<void> {
    await run(tx, RECORD_SESSION, { viewer, action, session_id: sessionId });
  }

  /** A page of the evidence, newest first. @param before the last row of the previous page */
  list(filter: EvidenceFilter, before: EvidenceCursor | undefined, countMax: number): Promise<Evidence[]> {
    return this.work.query((tx) => run(tx, LIST, pageParameters(filter, before, countMax)));
  }

  /**
   * Remove some evidence older than this many days, and feed readers that no longer poll. @returns the number of rows removed; 0
   * if none is left
   */
  async removeOld(tx: Tx, days: number): Promise<number> {
    const { count } = await runForOne(tx, REMOVE_OLD, { days });
    await run(tx, FORGET_READERS, { days });
    return count;
  }

  /**
   * Remove some evidence about accounts that are being erased.
   *
   * @param importSupplier code of their supplier
   * @returns the number of rows removed; 0 if none is left and none can be added
   * Source: choice S10.
   */
  async removeOfAccounts(tx: Tx, importSupplier: string, accountNumbers: readonly string[]): Promise<number> {
    await run(tx, LOCK, {});
    const parameters = { import_supplier: importSupplier, account_numbers: accountNumbers };
    return (await runForOne(tx, REMOVE_OF_ACCOUNTS, parameters)).count;
  }
}

/** The parameters of a page of records, newest first. @param before the last row of the previous page */
export function pageParameters(
  { since, importSupplier, operator }: EvidenceFilter,
  before: EvidenceCursor | undefined,
  countMax: number,
): QueryParameters {
  return {
    since: since ?? '-infinity',
    before_at: before?.exact_at ?? 'infinity',
    before_id: before?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    import_supplier: importSupplier ?? null,
    operator: operator ?? null,
    count_max: countMax,
  };
}
