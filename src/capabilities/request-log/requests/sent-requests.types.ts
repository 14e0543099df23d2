import type { RefusedItems } from './refused-items.types.js';
import type { ItemCounts, ImportKind } from '../../../infrastructure/item-names/item-names.js';

/** The API key that a request was sent with, and its organisation. */
export interface Sender {
  readonly organisationId: string;
  readonly organisation: string;
  readonly label: string;
}

/**
 * An import request that stored something or was refused, as somebody may see it: with its details when it is one of the own
 * organisation. Of another organisation's there is nothing else to be seen.
 *
 * Source: choice A8.
 */
export interface SentRequest {
  /** UUID of version 7. It orders requests; no client has seen it. */
  readonly id: string;
  readonly at: Date;
  readonly kind: ImportKind;
  /** Of the answer to a refused request; null when something was stored. */
  readonly status: number | null;
  /** Items that were sent; null of refused requests. */
  readonly items: number | null;
  readonly stored: number;
  /** What was stored, with the note that was pinned; null of a refused request. */
  readonly counts: ItemCounts | null;
  /** Null of another organisation's. */
  readonly details: RequestDetails | null;
}

/** An import request of the own organisation or, for an operator, of any. */
export type OwnRequest = SentRequest & { readonly details: RequestDetails };

/** What only the organisation that sent a request and operators see of it. */
export interface RequestDetails {
  /** Empty of a refused request that named none. */
  readonly externalAccountNumber: string;
  /** As its client sent it, as is the trace id. */
  readonly requestId: string;
  readonly traceId: string | null;
  readonly apiKeyId: string;
  /** Undefined when the key does not exist. */
  readonly sender: Sender | undefined;
  /** Null of refused requests. */
  readonly durationMs: number | null;
  /** When what it stored was removed again. */
  readonly undoneAt: Date | null;
  /** Of the answer to a refused request. */
  readonly code: string | null;
  /** Of the first field error, if there is one. */
  readonly fieldCode: string | null;
  readonly attr: string | null;
  readonly isDryRun: boolean;
  /** What a refused request was about, as far as it is kept; null also where a list does not need it. */
  readonly items: RefusedItems | null;
}

/** A request as it is read. */
export type RequestRow = Omit<SentRequest, 'details'> & { readonly details: DetailsRow | null };
type DetailsRow = Omit<RequestDetails, 'sender' | 'undoneAt'> & { readonly undoneAt: string | null };

/** A request that was found by its id. */
export type FoundRequest = OwnRequest & {
  /** Whether there is an account of its number: a refusal may name any. */
  readonly isAccount: boolean;
};

/** Which requests of an account are listed. */
export interface AccountRequests {
  readonly importSupplierId: number;
  readonly externalAccountNumber: string;
  /** Id of the event on whose side they are. */
  readonly after: string;
  readonly direction: Direction;
  readonly countMax: number;
}

/** The order of events, and which side of the given one they are on. */
export type Direction = 'ASC' | 'DESC';

/** Which requests of a supplier are listed; all of them where nothing is given. */
export interface ListFilter {
  readonly outcome?: 'stored' | 'refused' | undefined;
  readonly kind?: ImportKind | undefined;
  /** Code of the answer to an own refused request, or of its first field error. */
  readonly code?: string | undefined;
  /** Key of an own request. */
  readonly apiKeyId?: string | undefined;
  /** The first time that counts; {@link until} is the first that counts no more. */
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Which part of a list is read. */
export interface ListRange {
  /** After this one. */
  readonly before: RequestCursor;
  /** Those are not needed, nor older ones. */
  readonly since: Date | undefined;
  /** The same, as PostgreSQL writes it: {@link RequestReader.listDownTo}. */
  readonly downTo: string | undefined;
  readonly countMax: number;
}

/** Where a page of requests or refusals ends: the next one begins after it. */
export interface RequestCursor {
  /** UUID of version 7, which the rows of the request carry. */
  readonly id: string;
  /** `at` as PostgreSQL writes it, because a Date has no microseconds. */
  readonly exact_at: string;
}

/** What orders a list of several suppliers: microseconds since 1970. */
interface ListOrder extends RequestCursor {
  readonly microseconds: number;
}

export type ListedRow = RequestRow & ListOrder;

/** A request of a list. */
export type ListedRequest = SentRequest & ListOrder;
