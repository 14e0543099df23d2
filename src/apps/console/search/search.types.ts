import type { AccountState } from '../../../accounts/status/account-state.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';

/** The longest stored number or id, in characters (choice T14). */
export const TEXT_MAX = 128;

/** The most hits that are shown. Finding one more means that there are others. */
export const HITS_MAX = 50;

/** An account that was found. */
export interface FoundAccountRow {
  readonly import_supplier_id: number;
  readonly external_account_number: string;
  readonly service_account_number: string | null;
  readonly state: Exclude<AccountState, 'in_progress'>;
}

/** An API key that was found by its label. */
export interface FoundKey {
  readonly id: string;
  readonly label: string;
  readonly organisation: string;
  readonly isRevoked: boolean;
}

/** The result of searching some accounts for the id of an item. */
export interface SearchedPart {
  /** The last account that was searched; null when there was none. */
  readonly last: string | null;
  readonly found: readonly {
    readonly kind: 'transaction' | 'statement';
    readonly id: string;
    readonly external_account_number: string;
  }[];
}

/** Something that was found. */
export interface Hit {
  /** The name of the hit, such as the number of an account. `href` is its page. */
  readonly text: string;
  readonly href: string;
  readonly description?: string;
  readonly supplier?: ViewedSupplier;
  /** Undefined for what is on no account. A rejected request may name an account that does not exist. */
  readonly account?: { readonly number: string; readonly exists: boolean };
  readonly at?: Date;
  /** Whether the text is the whole number or id, not only the beginning. */
  readonly isExact?: boolean;
  /** The page that opens at once if the search clearly means this hit; undefined when it never does. */
  readonly meant?: string | undefined;
}

/** Where the search for the id of an item continues. */
export interface SearchPlace {
  /** Code of the supplier. */
  readonly code: string;
  /** The last account that was searched; undefined before the refused items are. */
  readonly after: string | undefined;
}

export interface SearchResult {
  /** The text of the search; empty without one. */
  readonly text: string;
  /** Exact hits first. */
  readonly hits: readonly Hit[];
  /** Whether there are, or may be, more hits than are listed. */
  readonly hasMore: boolean;
  /** Whether ids of transactions and statements were searched for. */
  readonly areItemsSearched: boolean;
  /** Where that search continues; undefined at its end. */
  readonly next: SearchPlace | undefined;
  /** The address to open instead of the result. */
  readonly meant: string | undefined;
}
