import type { Caller } from '../../auth/caller.js';
import type { AccountState } from './account-state.js';

/** A request for the status of one account. */
export interface StatusRequest {
  readonly caller: Caller;
  readonly externalAccountNumber: string;
}

/** The row of a {@link StatusRequest}. */
export interface AccountStatusRow {
  /** Null if the account was never staged, or its supplier is not granted to the caller. */
  readonly state: AccountState | null;
  readonly service_account_number: string | null;
}

/** Which accounts a list contains (specification 4.6 to 4.8). */
export type AccountFilter = 'all' | 'pending' | 'imported';

/** Which part of a list to read. */
export interface ChunkRequest {
  readonly caller: Caller;
  readonly importSupplierId: number;
  readonly filter: AccountFilter;
  /** The chunk begins after this number; `''` for the start. */
  readonly after: string;
  /** Maximum number of rows. */
  readonly countMax: number;
  /** Whether this is the first chunk of the list. */
  readonly isFirst: boolean;
  /** Whether the chunk closes the list even if there are more accounts. */
  readonly isPage: boolean;
}

/** A part of a list, ordered by account number, byte by byte. */
export interface ListChunk {
  /** False when the supplier is not granted to the caller. */
  readonly is_granted: boolean;
  /** The chunk's part of the list's JSON text. */
  readonly text: string;
  readonly last_number: string | null;
  /** Whether there are accounts after the last one of the chunk. */
  readonly has_more: boolean;
}
