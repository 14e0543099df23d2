import type { AccountRef } from './account-ref.js';
import type { Caller } from '../auth/caller.js';

/** One POST that imports something: who sends what for which account. */
export interface ImportRequest<Item = unknown> {
  readonly caller: Caller;
  readonly account: AccountRef;
  /** In the order of the payload. */
  readonly items: readonly Item[];
  /** Items of the payload, where it repeats some that are not among {@link items}. */
  readonly itemCount?: number;
}
