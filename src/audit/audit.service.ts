import { Injectable } from '@nestjs/common';
import { CommandError } from '../common/command-error.js';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { AuditRun } from './audit-run.js';
import { AuditRepository, type AuditCursor } from './audit.repository.js';
import type {
  AccountsChange,
  AccountView,
  AuditFilter,
  ChangedAccount,
  ListedEntry,
  OperatorChange,
  RunChange,
} from './audit.types.js';

/** Entries of a page: few enough for constant memory, enough that the queries take no time. */
const PAGE_ROWS = 1_000;

/** Who changed what, and who saw which customer's data. */
@Injectable()
export class AuditService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: AuditRepository,
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

  /**
   * Record that somebody is about to see data of an account, unless the same view with the same details was recorded within
   * the last minute.
   *
   * Source: choice C5.
   */
  async recordView(view: AccountView): Promise<void> {
    await this.work.single((tx) => this.repository.insertView(tx, view));
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
    if (code !== undefined && !(await this.work.single((tx) => this.repository.supplierExists(tx, code)))) {
      throw new CommandError('supplier_not_found', `There is no import supplier with the code ${code}.`);
    }
    return this.entries(filter);
  }

  private async *entries(filter: AuditFilter): AsyncGenerator<ListedEntry> {
    let last: AuditCursor | undefined;
    do {
      const before = last;
      const page = await this.work.single((tx) => this.repository.list(tx, filter, before, PAGE_ROWS));
      yield* page;
      last = page.length === PAGE_ROWS ? page.at(-1) : undefined;
    } while (last);
  }
}
