import type { AccountListFilter, ListedAccount } from '../../../accounts/lists/account-lists.types.js';
import type { RetryQuestion } from '../common/retry-question.js';
import type { ListPage } from '../common/cursor.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';

/** The view model of the page of a supplier's accounts. */
export interface AccountsView extends SupplierRequest {
  readonly filter: AccountListFilter;
  readonly accounts: ListPage<ListedAccount>;
}

/** How many of the chosen accounts are pending again, or the question for the operator. */
export type RetryAnswer = { readonly retried: number } | { readonly question: RetryQuestion };
