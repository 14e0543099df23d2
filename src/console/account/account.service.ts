import { Injectable } from '@nestjs/common';
import type { AccountRef } from '../../accounts/account-ref.js';
import { UnitOfWork, type Tx } from '../../database/unit-of-work.js';
import { EvidenceService } from '../../evidence/evidence.service.js';
import { AccountHistoryService } from '../../history/account-history.service.js';
import { RequestReadersService } from '../../sent-requests/request-readers.service.js';
import { ControlTotalsRepository } from '../differences/control-totals.repository.js';
import { PageNotFound } from '../common/page-errors.js';
import type { TimelineEvent } from '../layout/timeline.js';
import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';
import { ViewedSuppliersService } from '../viewers/viewed-suppliers.service.js';
import { organisationOf, type Viewer } from '../viewers/viewer.js';
import {
  AccountItemsRepository,
  INSTRUCTIONS,
  NOTES,
  STATEMENTS,
  TRANSACTIONS,
} from './account-items.repository.js';
import type { AccountKey } from './account-key.js';
import type { AccountQuery } from './account-query.js';
import { AccountRepository } from './account.repository.js';
import { readPage, type ListPage } from '../common/cursor.js';
import { toEvent } from './history-events.js';
import type {
  AccountContents,
  AccountPageView,
  AccountSummary,
  TransactionPageView,
} from './account.types.js';

const PAGE_EVENTS = 50;

/** An account that the viewer is about to see. */
export interface FoundAccount extends AccountKey {
  readonly supplier: ViewedSupplier;
  readonly summary: AccountSummary;
}

/** What people see of one account. */
@Injectable()
export class AccountService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ViewedSuppliersService,
    private readonly evidence: EvidenceService,
    private readonly accounts: AccountRepository,
    private readonly items: AccountItemsRepository,
    private readonly histories: AccountHistoryService,
    private readonly readers: RequestReadersService,
    private readonly controls: ControlTotalsRepository,
  ) {}

  /**
   * An account by its number; of one that is being erased only that. Nothing is recorded yet.
   *
   * @throws PageNotFound when it is not staged, or the viewer does not see its supplier
   * Source: choice C3.
   */
  async find(viewer: Viewer, code: string, externalAccountNumber: string): Promise<FoundAccount> {
    const supplier = await this.suppliers.find(viewer, code);
    const key = { importSupplierId: supplier.id, externalAccountNumber };
    const [erasureStartedAt, account] = await this.work.single(
      async (tx) => [await this.accounts.findErasure(tx, key), await this.accounts.find(tx, key)] as const,
    );
    const summary = erasureStartedAt ? { state: 'being_erased' as const, erasureStartedAt } : account;
    if (!summary) throw new PageNotFound();
    return { ...key, supplier, summary };
  }

  /**
   * Everything of an account's page. That the viewer sees it is recorded first.
   *
   * The parts are read one after the other, on one connection, so that a page never takes those of the imports.
   *
   * @throws PageNotFound as {@link find}
   * Source: choice C5.
   */
  async page(viewer: Viewer, code: string, number: string, query: AccountQuery): Promise<AccountPageView> {
    const found = await this.find(viewer, code, number);
    const { supplier, summary } = found;
    const isErased = summary.state === 'being_erased';
    if (!isErased) await this.recordView(viewer, found);
    const [sums, control, contents] = await this.work.single(
      async (tx) =>
        [
          await this.accounts.sums(tx, found),
          await this.controls.ofAccount(tx, supplier.id, number),
          isErased ? undefined : await this.contents(tx, found, query),
        ] as const,
    );
    const account = { importSupplier: supplier.code, externalAccountNumber: number };
    const history = await this.history(viewer, account, query.after.history);
    return { supplier, number, summary, sums, control, contents, history, query };
  }

  /**
   * A transaction with its line and tax items. That the viewer sees the account is recorded first.
   *
   * @param id transaction id and occurrence
   * @throws PageNotFound as {@link find}, and when the account has no such transaction
   * Source: choice C5.
   */
  async transaction(
    viewer: Viewer,
    account: { readonly code: string; readonly number: string },
    [id, occurrence]: readonly [id: string, occurrence: string],
  ): Promise<TransactionPageView> {
    const found = await this.find(viewer, account.code, account.number);
    if (found.summary.state === 'being_erased') throw new PageNotFound();
    await this.recordView(viewer, found);
    const transaction = await this.work.single((tx) => this.items.transaction(tx, found, id, occurrence));
    if (!transaction) throw new PageNotFound();
    return { supplier: found.supplier, number: account.number, transaction };
  }

  /** @throws PageNotFound when the account was erased meanwhile */
  private async recordView(viewer: Viewer, { supplier, ...account }: FoundAccount): Promise<void> {
    const isRecorded = await this.evidence.recordView({
      viewer: viewer.recordedAs,
      isFromAnotherSite: viewer.isFromAnotherSite,
      action: 'account.view',
      importSupplier: supplier.code,
      importSupplierId: supplier.id,
      externalAccountNumber: account.externalAccountNumber,
    });
    if (!isRecorded) throw new PageNotFound();
  }

  private async history(
    viewer: Viewer,
    account: AccountRef,
    after: string | undefined,
  ): Promise<ListPage<TimelineEvent>> {
    const reader = await this.readers.of(organisationOf(viewer));
    const events = await readPage(
      ['uuid'],
      after,
      PAGE_EVENTS,
      ([before], countMax) => this.histories.latest(reader, account, before, countMax),
      ({ id }) => [id],
    );
    return { ...events, rows: events.rows.map((row) => toEvent(row, viewer)) };
  }

  private async contents(tx: Tx, key: AccountKey, { after, filter }: AccountQuery): Promise<AccountContents> {
    const { items } = this;
    return {
      pinnedNotes: await items.page(tx, NOTES, key, after.pinned, { is_pinned: true }),
      typeTotals: await items.typeTotals(tx, key),
      transactions: await items.page(tx, TRANSACTIONS, key, after.transactions, { ...filter }),
      statements: await items.page(tx, STATEMENTS, key, after.statements),
      instructions: await items.page(tx, INSTRUCTIONS, key, after.instructions),
      otherNotes: await items.page(tx, NOTES, key, after.notes, { is_pinned: false }),
    };
  }
}
