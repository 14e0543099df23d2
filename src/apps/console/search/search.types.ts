import type { FoundRequest } from '../../../capabilities/request-log/requests/sent-requests.types.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import type { AccountState } from '../../../accounts/status/account-state.js';

/** An account that was found. */
export interface FoundAccountRow {
  readonly import_supplier_id: number;
  readonly external_account_number: string;
  readonly service_account_number: string | null;
  readonly state: Exclude<AccountState, 'in_progress'>;
}

/** One line of the results. */
export interface Hit {
  readonly supplier: ViewedSupplier;
  readonly accountNumber: string;
  /** A description of the hit, such as an account and its state. */
  readonly description: string;
  readonly serviceAccountNumber: string | null;
  readonly at: Date | null;
  /** Whether the text is the whole number or id, not only its beginning. */
  readonly isExact: boolean;
  /** Whether the account has a page. */
  readonly isAccount: boolean;
  /** Id of a request. */
  readonly requestId?: string;
}

/** An API key that was found by its label. */
export interface FoundKey {
  readonly id: string;
  readonly label: string;
  readonly organisation: string;
  readonly isRevoked: boolean;
}

/** The account, or the item on it, that a search clearly means. */
export interface Meant {
  readonly supplier: ViewedSupplier;
  readonly accountNumber: string;
  readonly kind?: FoundItemRow['kind'];
}

export interface SearchResult {
  /** The text of the search; empty without one. */
  readonly text: string;
  /** Suppliers found by code or name. */
  readonly namedSuppliers: readonly ViewedSupplier[];
  readonly keys: readonly FoundKey[];
  /** Exact hits first. */
  readonly hits: readonly Hit[];
  /** Whether there are, or may be, more hits than are listed. */
  readonly hasMore: boolean;
  /** The suppliers that were searched: all that the signed-in user may see. */
  readonly suppliers: readonly ViewedSupplier[];
  /** The result of a brief search for ids of transactions, statements and refused items; undefined when there was none. */
  readonly items: ItemSearchResult | undefined;
  readonly meant: Meant | undefined;
}

/** A transaction or statement that was found by its id. */
export interface FoundItemRow {
  readonly kind: 'transaction' | 'statement';
  readonly external_account_number: string;
}

export interface FoundItem {
  readonly supplier: ViewedSupplier;
  readonly row: FoundItemRow;
}

/** The result of searching some accounts. */
export interface SearchedPart {
  /** The last account that was searched; null when there was none. */
  readonly last: string | null;
  readonly found: readonly FoundItemRow[];
}

/** Where a search for the id of an item continues. */
export interface SearchPlace {
  readonly code: string;
  /** External account number. */
  readonly after: string;
}

/** A refused request that has an item with the id. */
export type FoundRefusal = FoundRequest & { readonly supplier: ViewedSupplier };

export interface ItemSearchResult {
  readonly text: string;
  /** Code of the only supplier to search; undefined for all. */
  readonly code: string | undefined;
  readonly outcome: 'found' | 'not_found' | 'out_of_time';
  /** The suppliers to search. */
  readonly suppliers: readonly ViewedSupplier[];
  readonly hits: readonly FoundItem[];
  /** Refused requests that had an item of this id, newest first. */
  readonly refusals: readonly FoundRefusal[];
  /** The suppliers whose refusals could not be searched in time. */
  readonly notSearched: readonly ViewedSupplier[];
  /** Where the search can continue, if anything is left. */
  readonly next: SearchPlace | undefined;
  /** The suppliers that were not searched to the end. */
  readonly left: readonly ViewedSupplier[];
}
