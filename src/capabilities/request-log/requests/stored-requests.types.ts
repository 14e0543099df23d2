import type { ItemCounts, ImportKind } from '../../../infrastructure/item-names/item-names.js';
import type { RequestCursor, Sender } from './sent-requests.types.js';

/** Which import requests of a supplier are meant; all of them by default. */
export interface RequestFilter {
  /** As its client sent it; several requests may have it. */
  readonly requestId?: string | undefined;
  readonly requestPrefix?: string | undefined;
  readonly externalAccountNumber?: string | undefined;
  /** The first moment that counts. */
  readonly since?: Date | undefined;
  /** The first moment that counts no more. */
  readonly until?: Date | undefined;
  readonly apiKeyId?: string | undefined;
  readonly kind?: ImportKind | undefined;
}

/** An import request that stored something. */
export interface StoredRequest extends RequestCursor {
  readonly external_account_number: string;
  readonly kind: ImportKind;
  readonly request_id: string;
  readonly api_key_id: string;
  /** Undefined when the key does not exist. */
  readonly sender?: Sender | undefined;
  readonly at: Date;
  readonly undone_at: Date | null;
  /** With the note that it has pinned. */
  readonly counts: ItemCounts;
  /** All of them together. */
  readonly rows: number;
}

/** How many import requests a filter finds of one API key. */
export interface KeyCounts {
  readonly apiKeyId: string;
  /** Those that are undone too. */
  readonly all: number;
  /** Those that are not. */
  readonly requests: number;
  /** What these have stored, with the notes that they have pinned. */
  readonly rows: number;
}

/** The same, with who sent them. */
export interface SenderCounts extends KeyCounts {
  /** Undefined when the key does not exist. */
  readonly sender: Sender | undefined;
}
