import type { Caller } from '../../auth/caller.js';
import type { AccountState } from './account-state.js';

/** A request for the status of one account. */
export interface StatusRequest {
  readonly caller: Caller;
  readonly externalAccountNumber: string;
}

/** What the query answers of it. */
export interface AccountStatusRow {
  /** Null when the account was never staged, or its supplier is not granted to the caller. */
  readonly state: AccountState | null;
  readonly service_account_number: string | null;
}

/** Which accounts a list has (specification 4.6 to 4.8). */
export type AccountFilter = 'all' | 'pending' | 'imported';

/** Which part of a list to read. */
export interface ChunkRequest {
  readonly caller: Caller;
  readonly importSupplierId: number;
  readonly filter: AccountFilter;
  /** The chunk begins after this number, `''` for the start. */
  readonly after: string;
  /** Rows at most. */
  readonly countMax: number;
  /** Whether it is the first of the list. */
  readonly isFirst: boolean;
  /** Whether it closes the list even when there are more accounts. */
  readonly isPage: boolean;
}

/** A part of a list, in the bytewise order of the account numbers. */
export interface ListChunk {
  /** False when the supplier is not granted to the caller. */
  readonly is_granted: boolean;
  /** This part of the JSON text of the list. */
  readonly text: string;
  readonly last_number: string | null;
  /** Whether there are accounts after the last one. */
  readonly has_more: boolean;
}
