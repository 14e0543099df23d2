import type { AccountListFilter, ListedAccount } from '../../../accounts/lists/account-lists.types.js';
import type { RetryQuestion } from '../common/retry-question.js';
import type { ListPage } from '../common/cursor.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';

/** What the page of the accounts of a supplier shows. */
export interface AccountsView extends SupplierRequest {
  readonly filter: AccountListFilter;
  readonly accounts: ListPage<ListedAccount>;
}

/** How many of the chosen accounts are pending again, or what an operator is asked before. */
export type RetryAnswer = { readonly retried: number } | { readonly question: RetryQuestion };
