import { Injectable } from '@nestjs/common';
import { RetryService } from '../../../accounts/importing/retry.service.js';
import { AccountListsService } from '../../../accounts/lists/account-lists.service.js';
import {
  HAS_LOAD,
  LISTED_STATES,
  type AccountListFilter,
  type ListedAccount,
} from '../../../accounts/lists/account-lists.types.js';
import { readChoice, readOptionalSegment, type FormFields } from '../common/parameters.js';
import { PREVIEWED_MAX, type RetryAnswer } from '../common/retry-question.js';
import { members, type ListFile, type SupplierList } from '../layout/list.types.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';
import { chosenNumbers, CONFIRMED } from './chosen-accounts.js';

/** The accounts of a supplier in the order of their numbers, by the filters of choice C10. */
@Injectable()
export class AccountsService implements SupplierList<ListedAccount, AccountListFilter> {
  readonly file: ListFile<ListedAccount> = {
    name: 'accounts.csv',
    recordedAs: 'accounts.download',
    ...members<ListedAccount>(
      ...(['externalAccountNumber', 'state', 'serviceAccountNumber', 'stagedAt'] as const),
      ...(['accountCreatedAt', 'requests', 'lastRequestAt', 'control', 'failure', 'failedAt'] as const),
    ),
  };

  constructor(
    private readonly lists: AccountListsService,
    private readonly retries: RetryService,
  ) {}

  filterOf({ query: { state, load, differs, cause } }: SupplierRequest): AccountListFilter {
    return {
      state: readChoice(LISTED_STATES, state),
      load: readChoice(HAS_LOAD, load),
      differs: readChoice(['1'], differs) !== undefined,
      cause: readOptionalSegment(cause === '' ? undefined : cause),
    };
  }

  read(
    { supplier }: SupplierRequest,
    filter: AccountListFilter,
    after = '',
    countMax: number,
  ): Promise<readonly ListedAccount[]> {
    return this.lists.page(supplier.id, filter, after, countMax);
  }

  positionOf({ externalAccountNumber }: ListedAccount): string {
    return externalAccountNumber;
  }

  /**
   * Set the failed accounts among the chosen ones back to pending, if the operator has confirmed it.
   *
   * @returns how many accounts, or the question to ask first
   * Source: choices C3, C9, C10.
   */
  async retry({ user, supplier }: SupplierRequest, form: FormFields): Promise<RetryAnswer> {
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
