import type { AccountRef } from './account-ref.js';
import type { Caller } from '../auth/caller.js';

/** One POST that imports something: its caller, its account and its items. */
export interface ImportRequest<Item = unknown> {
  readonly caller: Caller;
  readonly account: AccountRef;
  /** In the order of the payload. */
  readonly items: readonly Item[];
  /** The number of items in the payload, if it repeats some that {@link items} holds once. */
  readonly itemCount?: number;
}
