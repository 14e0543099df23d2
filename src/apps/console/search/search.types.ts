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

/** One line of what was found. */
export interface Hit {
  readonly supplier: ViewedSupplier;
  readonly number: string;
  /** What was found, such as an account and its state. */
  readonly what: string;
  readonly serviceAccountNumber: string | null;
  readonly at: Date | null;
  /** What was written is the whole number or id, not only its beginning. */
  readonly isExact: boolean;
  /** Whether the account has a page. */
  readonly isAccount: boolean;
  /** Of a request. */
  readonly requestId?: string;
}

/** An API key that was found by its label. */
export interface FoundKey {
  readonly id: string;
  readonly label: string;
  readonly organisation: string;
  readonly isRevoked: boolean;
}

/** The account that was meant, and what on it. */
export interface Meant {
  readonly supplier: ViewedSupplier;
  readonly number: string;
  readonly kind?: FoundItemRow['kind'];
}

export interface SearchResult {
  /** What was searched for; empty when nothing was. */
  readonly text: string;
  /** By their codes or names. */
  readonly namedSuppliers: readonly ViewedSupplier[];
  readonly keys: readonly FoundKey[];
  /** Exact ones first. */
  readonly hits: readonly Hit[];
  /** Whether there are, or may be, more than are listed. */
  readonly hasMore: boolean;
  /** Those that were searched: all that the viewer sees. */
  readonly suppliers: readonly ViewedSupplier[];
  /** What the ids of transactions, statements and refused items gave in a moment; undefined when they were not searched. */
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

/** What was found on some accounts. */
export interface SearchedPart {
  /** The last account that was searched; null when there was none. */
  readonly last: string | null;
  readonly found: readonly FoundItemRow[];
}

/** From where a search for the id of an item goes on. */
export interface SearchPlace {
  readonly code: string;
  /** External account number. */
  readonly after: string;
}

/** A refused request with an item of the id. */
export type FoundRefusal = FoundRequest & { readonly supplier: ViewedSupplier };

export interface ItemSearchResult {
  readonly text: string;
  /** Of one supplier only. */
  readonly code: string | undefined;
  readonly outcome: 'found' | 'not_found' | 'out_of_time';
  /** Where it was to be searched. */
  readonly suppliers: readonly ViewedSupplier[];
  readonly hits: readonly FoundItem[];
  /** Refused requests that had an item of this id, newest first. */
  readonly refusals: readonly FoundRefusal[];
  /** The suppliers whose refusals could not be searched in time. */
  readonly notSearched: readonly ViewedSupplier[];
  /** From where it can go on, when something is left. */
  readonly next: SearchPlace | undefined;
  /** The suppliers that were not searched to the end. */
  readonly left: readonly ViewedSupplier[];
}
