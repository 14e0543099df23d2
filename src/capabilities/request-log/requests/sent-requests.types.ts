import type { RefusedItems } from './refused-items.types.js';
import type { ItemCounts, ImportKind } from '../../../infrastructure/item-names/item-names.js';

/** The API key that a request was sent with, and its organisation. */
export interface Sender {
  readonly organisationId: string;
  readonly organisation: string;
  readonly label: string;
}

/**
 * An import request that stored something or was refused, limited to what its reader may see. It has details only if the
 * reader's own organisation sent it.
 *
 * Source: choice A8.
 */
export interface SentRequest {
  /** UUID of version 7. It orders requests; no client has seen it. */
  readonly id: string;
  readonly at: Date;
  readonly kind: ImportKind;
  /** HTTP status of the answer to a refused request; null when something was stored. */
  readonly status: number | null;
  /** The number of items that were sent; null for a refused request. */
  readonly items: number | null;
  readonly stored: number;
  /** The number of stored rows by kind, including the pinned note; null for a refused request. */
  readonly counts: ItemCounts | null;
  /** Null for another organisation's request. */
  readonly details: RequestDetails | null;
}

/** An import request of the reader's own organisation or, for an operator, of any. */
export type OwnRequest = SentRequest & { readonly details: RequestDetails };

/** Details of a request that only operators and the organisation that sent it may see. */
export interface RequestDetails {
  /** Empty for a refused request that named none. */
  readonly externalAccountNumber: string;
  /** As its client sent it, as is the trace id. */
  readonly requestId: string;
  readonly traceId: string | null;
  readonly apiKeyId: string;
  /** Undefined when the key does not exist. */
  readonly sender: Sender | undefined;
  /** Null for a refused request. */
  readonly durationMs: number | null;
  /** When the request was undone. */
  readonly undoneAt: Date | null;
  /** Error code of the answer to a refused request. */
  readonly code: string | null;
  /** Code of the first field error, if there is one. */
  readonly fieldCode: string | null;
  readonly attr: string | null;
  readonly isDryRun: boolean;
  /** The items of a refused request, as far as they are kept; also null when a list does not need them. */
  readonly items: RefusedItems | null;
}

/** A request as the database returns it. */
export type RequestRow = Omit<SentRequest, 'details'> & { readonly details: DetailsRow | null };
type DetailsRow = Omit<RequestDetails, 'sender' | 'undoneAt'> & { readonly undoneAt: string | null };

/** A request that was found by its id. */
export type FoundRequest = OwnRequest & {
  /** Whether the account exists: a refusal may name any number. */
  readonly isAccount: boolean;
};

/** Which requests of an account to list. */
export interface AccountRequests {
  readonly importSupplierId: number;
  readonly externalAccountNumber: string;
  /** Id of the event at which they start, exclusive. */
  readonly after: string;
  readonly direction: Direction;
  readonly countMax: number;
}

/** The order of events, and on which side of a given event they are. */
export type Direction = 'ASC' | 'DESC';

/** Which requests of a supplier to list; all by default. */
export interface ListFilter {
  readonly outcome?: 'stored' | 'refused' | undefined;
  readonly kind?: ImportKind | undefined;
  /** Error code of an own refused request, or code of its first field error. */
  readonly code?: string | undefined;
  /** API key of an own request. */
  readonly apiKeyId?: string | undefined;
  /** Run of the loader that sent an own request (choice L13). */
  readonly run?: string | undefined;
  /** The first time that counts. {@link until} is the first that no longer counts. */
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Which part of a list to read. */
export interface ListRange {
  /** The list continues after this request. */
  readonly before: RequestCursor;
  /** Requests of this time and older ones are not needed. */
  readonly since: Date | undefined;
  /** The same, as PostgreSQL writes it: {@link RequestReader.listDownTo}. */
  readonly downTo: string | undefined;
  readonly countMax: number;
}

/** Where a page of requests or refusals ends: the next one begins after it. */
export interface RequestCursor {
  /** UUID of version 7, which the stored rows of the request refer to. */
  readonly id: string;
  /** `at` as PostgreSQL writes it, because a Date has no microseconds. */
  readonly exact_at: string;
}

/** Orders a list over several suppliers: microseconds since 1970. */
interface ListOrder extends RequestCursor {
  readonly microseconds: number;
}

export type ListedRow = RequestRow & ListOrder;

/** A request of a list. */
export type ListedRequest = SentRequest & ListOrder;
