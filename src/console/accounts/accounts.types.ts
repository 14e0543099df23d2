import type { AccountListFilter, ListedAccount } from '../../account-lists/account-lists.types.js';
import type { Viewer } from '../viewers/viewer.js';
import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';

/** What the page of the accounts of a supplier shows. */
export interface AccountsView {
  readonly viewer: Viewer['kind'];
  readonly supplier: ViewedSupplier;
  readonly filter: AccountListFilter;
  readonly accounts: readonly ListedAccount[];
  /** The number after which the next page begins, if there is one. */
  readonly next: string | undefined;
  readonly isFirst: boolean;
  /** Whether the viewer may set failed accounts back to pending. */
  readonly mayRetry: boolean;
  /** How many accounts were just set back. */
  readonly retried: number | undefined;
}
