import { Injectable } from '@nestjs/common';
import { AccountListsService } from '../../../accounts/lists/account-lists.service.js';
import type { ListedAccount } from '../../../accounts/lists/account-lists.types.js';
import type { Cell } from '../common/csv.js';
import { EvidenceService } from '../../../infrastructure/audit/evidence/evidence.service.js';
import { RetryService } from '../../../accounts/importing/retry.service.js';
import { csvFile, type CsvFile } from '../common/csv-answer.js';
import { numberedPage } from '../common/numbered-page.js';
import type { FormFields } from '../common/parameters.js';
import { PREVIEWED_MAX } from '../common/retry-question.js';
import type { OperatorRequest, SupplierRequest } from '../signed-in/supplier-request.js';
import { accountFilterOf, chosenNumbers, CONFIRMED } from './accounts-query.js';
import type { AccountsView, RetryAnswer } from './accounts.types.js';

/** The accounts of a supplier, by the filters of the address. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly lists: AccountListsService,
    private readonly retries: RetryService,
    private readonly evidence: EvidenceService,
  ) {}

  /**
   * A page of accounts in the order of their numbers.
   *
   * @throws PageNotFound when a filter has an invalid value
   * Source: choices C3, C10.
   */
  async page(request: SupplierRequest): Promise<AccountsView> {
    const filter = accountFilterOf(request.query);
    const accounts = await numberedPage(request.query, (after = '', countMax) =>
      this.lists.page(request.supplier.id, filter, after, countMax),
    );
    return { ...request, filter, accounts };
  }

  /**
   * All accounts of a list as a CSV file in constant memory. The download is recorded first.
   *
   * @throws PageNotFound as {@link page}
   * Source: choices C3, C10.
   */
  async download({ user, supplier: { id, code }, query }: SupplierRequest): Promise<CsvFile> {
    const filter = accountFilterOf(query);
    await this.evidence.recordDownload('accounts.download', user, code);
    return csvFile<ListedAccount>('accounts.csv', COLUMNS, cellsOf, (last, countMax) =>
      this.lists.page(id, filter, last?.externalAccountNumber ?? '', countMax),
    );
  }

  /**
   * Set the failed accounts among the chosen ones back to pending, if the operator has confirmed it.
   *
   * @returns how many accounts, or the question to ask first
   * Source: choices C3, C9, C10.
   */
  async retry({ user, supplier }: OperatorRequest, form: FormFields): Promise<RetryAnswer> {
    const numbers = chosenNumbers(form);
    if (numbers.length === 0) return { retried: 0 };
    if (form[CONFIRMED] === undefined) {
      const preview = await this.retries.preview(supplier.id, { numbers }, PREVIEWED_MAX);
      return { question: { supplier, accounts: preview.failed, preview } };
    }
    const { pending } = await this.retries.retry(supplier.code, { numbers }, { operator: user.recordedAs });
    return { retried: pending };
  }
}

const COLUMNS = [
  ...['external_account_number', 'state', 'service_account_number', 'staged_at', 'account_created_at'],
  ...['requests', 'last_request_at', 'control', 'failure', 'failed_at'],
];

function cellsOf(account: ListedAccount): Cell[] {
  const { externalAccountNumber, state, serviceAccountNumber, stagedAt, accountCreatedAt } = account;
  const { requests, lastRequestAt, control, failure, failedAt } = account;
  return [
    ...[externalAccountNumber, state, serviceAccountNumber, stagedAt, accountCreatedAt],
    ...[requests, lastRequestAt, control, failure, failedAt],
  ];
}
