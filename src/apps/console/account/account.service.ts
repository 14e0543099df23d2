import { Injectable } from '@nestjs/common';
import type { AccountRef } from '../../../ingest/account-ref.js';
import { run, runForOne } from '../../../infrastructure/database/query.js';
import { UnitOfWork, type Tx } from '../../../infrastructure/database/unit-of-work.js';
import { EvidenceService } from '../../../infrastructure/audit/evidence/evidence.service.js';
import type { AccountView } from '../../../infrastructure/audit/evidence/evidence.types.js';
import { AccountHistoryService } from '../../../capabilities/request-log/history/account-history.service.js';
import type { SentRequest } from '../../../capabilities/request-log/requests/sent-requests.types.js';
import { LAST_REQUEST } from '../../../ingest/documents/document-referrers.js';
import { RequestReadersService } from '../../../capabilities/request-log/requests/request-readers.service.js';
import { COMPARED_ACCOUNT } from '../differences/control-totals.queries.js';
import { PageNotFound } from '../common/page-errors.js';
import type { TimelineEvent } from '../layout/timeline.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';
import { organisationOf, type SignedInUser } from '../signed-in/signed-in-user.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import {
  AccountItemsRepository,
  INSTRUCTIONS,
  LIST_BYTES_MAX,
  NOTES,
  STATEMENTS,
  TRANSACTIONS,
} from './account-items.repository.js';
import { keyValues, type AccountKey } from './account-key.js';
import type { AccountQuery } from './account-query.js';
import { ACCOUNT, ERASURE, SUMS } from './account.queries.js';
import { readPage, type ListPage } from '../common/cursor.js';
import { missingRows } from './missing.js';
import { toHistoryEvent } from './history-events.js';
import type {
  AccountContents,
  AccountPageView,
  AccountSummary,
  ItemizedTransaction,
  ItemPageView,
  ViewedNote,
} from './account.types.js';

const PAGE_EVENTS = 50;
/** The most requests that are searched for the reason why rows are missing. */
const NEWEST_REQUESTS = 100;

@Injectable()
export class AccountService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly evidence: EvidenceService,
    private readonly items: AccountItemsRepository,
    private readonly histories: AccountHistoryService,
    private readonly readers: RequestReadersService,
  ) {}

  /**
   * An account of a supplier that the signed-in user may see. For an account that is being erased nothing else is known.
   * Nothing is recorded yet.
   *
   * @throws PageNotFound when it is not staged
   * Source: choice C3.
   */
  private async find(key: AccountKey): Promise<AccountSummary> {
    const values = keyValues(key);
    const [[erasure], [account]] = await this.work.query(
      async (tx) => [await run(tx, ERASURE, values), await run(tx, ACCOUNT, values)] as const,
    );
    if (erasure) return { state: 'being_erased', erasureStartedAt: erasure.started_at };
    if (!account) throw new PageNotFound();
    return account;
  }

  /**
   * Everything on an account's page. It is recorded first that the signed-in user sees it.
   *
   * The parts are read one after the other on one connection, so that a page never takes the connections of the imports.
   *
   * @throws PageNotFound as {@link find}
   * Source: choice C5.
   */
  async page(
    { user, supplier }: SupplierRequest,
    accountNumber: string,
    query: AccountQuery,
  ): Promise<AccountPageView> {
    const key = { importSupplierId: supplier.id, externalAccountNumber: accountNumber };
    const summary = await this.find(key);
    const isErased = summary.state === 'being_erased';
    if (!isErased) await this.recordView(user, supplier.code, key, 'account.view');
    const values = keyValues(key);
    const [sums, [control], contents] = await this.work.query(
      async (tx) =>
        [
          await runForOne(tx, SUMS, values),
          await run(tx, COMPARED_ACCOUNT, values),
          isErased ? undefined : await this.contents(tx, key, query),
        ] as const,
    );
    const account = { importSupplier: supplier.code, externalAccountNumber: accountNumber };
    const history = await this.history(user, account, query.after.history);
    const newest = isErased ? [] : await this.newest(user, key);
    const missing = summary.state === 'imported' ? missingRows(control, sums.stored, newest) : [];
    const shown = { supplier, accountNumber, summary, sums, control, missing, contents, history, query };
    return { ...shown, lastRequestAt: newest[0]?.at };
  }

  /**
   * A transaction with its line and tax items. It is recorded first that the signed-in user sees the account.
   *
   * @param id transaction id and occurrence
   * @throws PageNotFound as {@link find}, and when the account has no such transaction
   * Source: choice C5.
   */
  transaction(
    request: SupplierRequest,
    accountNumber: string,
    [id, occurrence]: readonly [id: string, occurrence: string],
  ): Promise<ItemPageView<ItemizedTransaction>> {
    return this.item(request, accountNumber, (tx, key) => this.items.transaction(tx, key, id, occurrence));
  }

  /** A complete note. @param place in its list @throws PageNotFound as {@link transaction} */
  note(request: SupplierRequest, accountNumber: string, place: string): Promise<ItemPageView<ViewedNote>> {
    return this.item(request, accountNumber, (tx, key) => this.items.note(tx, key, place));
  }

  private async item<Item>(
    { user, supplier }: SupplierRequest,
    accountNumber: string,
    read: (tx: Tx, key: AccountKey) => Promise<Item | undefined>,
  ): Promise<ItemPageView<Item>> {
    const key = await this.visible(supplier, accountNumber);
    await this.recordView(user, supplier.code, key, 'account.view');
    const item = await this.work.query((tx) => read(tx, key));
    if (!item) throw new PageNotFound();
    return { supplier, accountNumber, item };
  }

  /** The key of an account of which more than the state is shown. @throws PageNotFound also while it is being erased */
  async visible({ id }: ViewedSupplier, accountNumber: string): Promise<AccountKey> {
    const key = { importSupplierId: id, externalAccountNumber: accountNumber };
    const { state } = await this.find(key);
    if (state === 'being_erased') throw new PageNotFound();
    return key;
  }

  /** Record that the signed-in user is about to see data of an account. @throws PageNotFound when it was erased meanwhile */
  async recordView(
    { recordedAs, isFromAnotherSite }: SignedInUser,
    importSupplier: string,
    key: AccountKey,
    action: AccountView['action'],
  ): Promise<void> {
    const view = { ...key, viewer: recordedAs, isFromAnotherSite, action, importSupplier };
    if (!(await this.evidence.recordView(view))) throw new PageNotFound();
  }

  /** The newest requests of an account, as in its history. The refused ones say why rows are missing. */
  private async newest(user: SignedInUser, key: AccountKey): Promise<SentRequest[]> {
    const reader = await this.readers.of(organisationOf(user));
    return reader.ofAccount({ ...key, direction: 'DESC', countMax: NEWEST_REQUESTS, after: LAST_REQUEST });
  }

  private async history(
    user: SignedInUser,
    account: AccountRef,
    after: string | undefined,
  ): Promise<ListPage<TimelineEvent>> {
    const reader = await this.readers.of(organisationOf(user));
    const events = await readPage(
      ['uuid'],
      after,
      PAGE_EVENTS,
      ([before], countMax) => this.histories.latest(reader, account, before, countMax),
      ({ id }) => [id],
      LIST_BYTES_MAX,
    );
    return { ...events, rows: events.rows.map((row) => toHistoryEvent(row, user)) };
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
