import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { EvidenceRepository } from './evidence.repository.js';
import { FeedReads } from './feed-reads.js';
import type {
  AccountView,
  DownloadAction,
  Evidence,
  EvidenceCursor,
  EvidenceFilter,
  SignedInViewer,
} from './evidence.types.js';

/**
 * Who signed in, and who saw which customer's data. It is apart from the record of changes (audit/), because tenants cause it: it is
 * counted by the hour, kept for a limited time, and removed with the account.
 *
 * Source: choice O6.
 */
@Injectable()
export class EvidenceService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: EvidenceRepository,
    private readonly feedReads: FeedReads,
  ) {}

  /**
   * Record that somebody is about to see data of an account.
   *
   * @returns false when the account is not there, or no longer; then nothing of it may be shown
   * Source: choices C5, C6, V1.
   */
  recordView(view: AccountView): Promise<boolean> {
    return this.work.throughCoordinator(view.importSupplierId, () =>
      this.work.single((tx) => this.repository.recordView(tx, view)),
    );
  }

  /**
   * Record that somebody is about to download failures, accounts or documents that are missing.
   *
   * @param viewer with whether it began on another site, by a link
   * Source: choices C1, C9, C10, F5, O6.
   */
  async recordDownload(
    action: DownloadAction,
    { recordedAs, isFromAnotherSite }: { recordedAs: string; isFromAnotherSite?: boolean | undefined },
    importSupplier: string,
  ): Promise<void> {
    const fromOtherSites = isFromAnotherSite === true ? 1 : 0;
    await this.work.single((tx) =>
      this.repository.recordOfSupplier(tx, action, recordedAs, importSupplier, 1, fromOtherSites),
    );
  }

  /**
   * Record that the platform is about to read the feed of a supplier. The first read is written at once, those of the next minute
   * together at its end; a crash loses the count of these, but not that there was a reader.
   *
   * @param platformKeyId of the key with which it reads
   * @param importSupplier code of the supplier
   * Source: choices E5, O6.
   */
  recordFeedRead(platformKeyId: string, importSupplier: string): Promise<void> {
    return this.feedReads.record(platformKeyId, importSupplier);
  }

  /** Record that a session begins, in the transaction that begins it. */
  recordSignIn(tx: Tx, viewer: SignedInViewer): Promise<void> {
    return this.repository.recordSession(tx, 'console.sign_in', viewer);
  }

  /** Record that a viewer ends the own session, in the transaction that ends it. */
  recordSignOut(tx: Tx, viewer: SignedInViewer): Promise<void> {
    return this.repository.recordSession(tx, 'console.sign_out', viewer);
  }

  /** A page of what is recorded, newest first. @param before the last row of the page before */
  list(filter: EvidenceFilter, before: EvidenceCursor | undefined, countMax: number): Promise<Evidence[]> {
    return this.work.single((tx) => this.repository.list(tx, filter, before, countMax));
  }

  /**
   * Remove some of what is recorded of accounts that are being erased.
   *
   * @param importSupplier code of their supplier
   * @returns how much it was; 0 when nothing is left
   * Source: choice S10.
   */
  removeOfAccounts(tx: Tx, importSupplier: string, accountNumbers: readonly string[]): Promise<number> {
    return this.repository.removeOfAccounts(tx, importSupplier, accountNumbers);
  }
}
