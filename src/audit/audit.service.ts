import { Injectable } from '@nestjs/common';
import { namedSupplierId } from '../database/supplier-codes.js';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { formatDateTime } from '../common/dates.js';
import { EvidenceService } from '../evidence/evidence.service.js';
import type { Evidence } from '../evidence/evidence.types.js';
import { AuditRun } from './audit-run.js';
import { AuditRepository, type AuditCursor } from './audit.repository.js';
import type {
  AccountsChange,
  AuditFilter,
  ChangedAccount,
  ListedEntry,
  OperatorChange,
  RunChange,
} from './audit.types.js';
import { newestFirst } from './newest-first.js';

/** Entries of a page: few enough for constant memory, enough that the queries take no time. */
const PAGE_ROWS = 1_000;

/** Who changed what; the list also has who saw which customer's data. */
@Injectable()
export class AuditService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: AuditRepository,
    private readonly evidence: EvidenceService,
  ) {}

  /**
   * Record an operator change in the transaction that makes it, so that neither exists without the other.
   *
   * Source: choice O6.
   */
  record(tx: Tx, change: OperatorChange): Promise<void> {
    return this.repository.insert(tx, change);
  }

  /**
   * Record the same change of several accounts, an entry for each, with one query in the transaction that makes it.
   *
   * Source: choice O6.
   */
  async recordOfAccounts(tx: Tx, change: AccountsChange, accounts: readonly ChangedAccount[]): Promise<void> {
    if (accounts.length > 0) await this.repository.insertOfAccounts(tx, change, accounts);
  }

  /** {@link run} of a change of a supplier. */
  runOf(importSupplier: string, action: RunChange['action'], operator: string): AuditRun {
    return this.run({ operator, action, subject: importSupplier, importSupplier });
  }

  /** The record of a change that takes many transactions. */
  run(change: RunChange): AuditRun {
    return new AuditRun(this.work, this.repository, change);
  }

  /**
   * The recorded changes and views, newest first. A list of any length takes constant memory: each page is read when it is needed.
   * Changes that are made meanwhile may be missing.
   *
   * @throws CommandError `supplier_not_found`
   * Source: choice O6.
   */
  async list(filter: AuditFilter): Promise<AsyncIterable<ListedEntry>> {
    const { importSupplier: code } = filter;
    if (code !== undefined) await this.work.single((tx) => namedSupplierId(tx, code));
    return filter.isOfViews === true
      ? this.views(filter)
      : newestFirst(this.changes(filter), this.views(filter));
  }

  private changes(filter: AuditFilter): AsyncGenerator<ListedEntry> {
    return pageByPage<ListedEntry & AuditCursor>((before) =>
      this.work.single(async (tx) =>
        this.repository.withKeyLabels(tx, await this.repository.list(tx, filter, before, PAGE_ROWS)),
      ),
    );
  }

  private async *views(filter: AuditFilter): AsyncGenerator<ListedEntry> {
    const views = pageByPage<Evidence & Pick<ListedEntry, 'keyLabel'>>(async (before) => {
      const page = await this.evidence.list(filter, before, PAGE_ROWS);
      return this.work.single((tx) => this.repository.withKeyLabels(tx, page));
    });
    for await (const { count, last_at, from_other_sites, ...view } of views) {
      const isOfAccount = view.import_supplier !== null;
      const others = from_other_sites > 0 && { from_other_sites };
      yield { ...view, details: isOfAccount ? { count, last_at: formatDateTime(last_at), ...others } : {} };
    }
  }
}

/** @param read the rows of a page, after the last one of the page before */
async function* pageByPage<Row>(read: (before: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row> {
  let last: Row | undefined;
  do {
    const page: Row[] = await read(last);
    yield* page;
    last = page.length === PAGE_ROWS ? page.at(-1) : undefined;
  } while (last !== undefined);
}
