import { Injectable } from '@nestjs/common';
import { AccountListsService } from '../../account-lists/account-lists.service.js';
import type { ListedAccount } from '../../account-lists/account-lists.types.js';
import { csvRecord, type Cell } from '../../common/csv.js';
import { EvidenceService } from '../../evidence/evidence.service.js';
import { RetryService } from '../../importing/retry.service.js';
import { NotAllowed } from '../common/page-errors.js';
import { readOptionalSegment, type FormFields, type SentQuery } from '../common/parameters.js';
import { retriedOf } from '../common/retried.js';
import { ViewedSuppliersService } from '../viewers/viewed-suppliers.service.js';
import type { Viewer } from '../viewers/viewer.js';
import { accountFilterOf, chosenNumbers } from './accounts-query.js';
import type { AccountsView } from './accounts.types.js';

const PAGE_ROWS = 100;

/** The accounts of a supplier, by the filters of the address. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly suppliers: ViewedSuppliersService,
    private readonly lists: AccountListsService,
    private readonly retries: RetryService,
    private readonly evidence: EvidenceService,
  ) {}

  /**
   * A page of accounts in the order of their numbers.
   *
   * @throws PageNotFound when the viewer does not see the supplier, or a filter has a value that it cannot have
   * Source: choices C3, C10.
   */
  async page(viewer: Viewer, code: string, query: SentQuery): Promise<AccountsView> {
    const supplier = await this.suppliers.find(viewer, code);
    const filter = accountFilterOf(query);
    const after = readOptionalSegment(query.after);
    const found = await this.lists.page(supplier.id, filter, after ?? '', PAGE_ROWS + 1);
    const accounts = found.slice(0, PAGE_ROWS);
    return {
      viewer: viewer.kind,
      ...{ supplier, filter, accounts, isFirst: after === undefined },
      next: found.length > PAGE_ROWS ? accounts.at(-1)?.externalAccountNumber : undefined,
      mayRetry: viewer.kind === 'operator' && accounts.some(({ state }) => state === 'failed'),
      retried: retriedOf(query),
    };
  }

  /**
   * All accounts of a list as a CSV file in constant memory. That it is downloaded is recorded first.
   *
   * @throws PageNotFound as {@link page}
   * Source: choices C3, C10.
   */
  async download(viewer: Viewer, code: string, query: SentQuery): Promise<AsyncIterable<string>> {
    const { id } = await this.suppliers.find(viewer, code);
    const filter = accountFilterOf(query);
    await this.evidence.recordDownload('accounts.download', viewer, code);
    return records(this.lists.pages(id, filter));
  }

  /**
   * Set those of the chosen accounts back to pending that are failed.
   *
   * @returns how many
   * @throws PageNotFound when the viewer does not see the supplier
   * @throws NotAllowed to an admin
   * Source: choices C3, C10.
   */
  async retry(viewer: Viewer, code: string, form: FormFields): Promise<number> {
    await this.suppliers.find(viewer, code);
    if (viewer.kind !== 'operator') throw new NotAllowed();
    const numbers = chosenNumbers(form);
    if (numbers.length === 0) return 0;
    const { pending } = await this.retries.retry(code, { numbers }, { operator: viewer.recordedAs });
    return pending;
  }
}

const COLUMNS: Readonly<Record<string, (account: ListedAccount) => Cell>> = {
  external_account_number: (account) => account.externalAccountNumber,
  state: (account) => account.state,
  service_account_number: (account) => account.serviceAccountNumber,
  staged_at: (account) => account.stagedAt,
  account_created_at: (account) => account.accountCreatedAt,
  requests: (account) => account.requests,
  last_request_at: (account) => account.lastRequestAt,
  control: (account) => account.control,
  failure: (account) => account.failure,
  failed_at: (account) => account.failedAt,
};

async function* records(pages: AsyncIterable<readonly ListedAccount[]>): AsyncGenerator<string> {
  yield csvRecord(Object.keys(COLUMNS));
  for await (const page of pages) {
    yield page.map((account) => csvRecord(Object.values(COLUMNS).map((cellOf) => cellOf(account)))).join('');
  }
}
