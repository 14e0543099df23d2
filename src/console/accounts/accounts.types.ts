import type { AccountListFilter, ListedAccount } from '../../account-lists/account-lists.types.js';
import type { RetryQuestion } from '../common/retry-question.js';
import type { NumberedPage } from '../common/numbered-page.js';
import type { Viewer } from '../viewers/viewer.js';
import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';

/** What the page of the accounts of a supplier shows. */
export interface AccountsView {
  readonly viewer: Viewer['kind'];
  readonly supplier: ViewedSupplier;
  readonly filter: AccountListFilter;
  readonly accounts: NumberedPage<ListedAccount>;
  /** Whether the viewer may set failed accounts back to pending. */
  readonly mayRetry: boolean;
  /** How many accounts were just set back. */
  readonly retried: number | undefined;
}

/** How many of the chosen accounts are pending again, or what an operator is asked before. */
export type RetryAnswer = { readonly supplier: ViewedSupplier } & (
  { readonly retried: number } | { readonly question: RetryQuestion }
);
