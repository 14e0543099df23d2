import type { ItemCounts, ImportKind } from '../../../infrastructure/item-names/item-names.js';
import type { RequestCursor, Sender } from './sent-requests.types.js';

/** Selects import requests of a supplier; all by default. */
export interface RequestFilter {
  /** As the client sent it; several requests may have the same id. */
  readonly requestId?: string | undefined;
  readonly requestPrefix?: string | undefined;
  readonly externalAccountNumber?: string | undefined;
  /** The first time that counts. */
  readonly since?: Date | undefined;
  /** The first time that no longer counts. */
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
  /** Including the note that it has pinned. */
  readonly counts: ItemCounts;
  /** The sum of the counts. */
  readonly rows: number;
}

/** The import requests of one run of the loader and one organisation, or those of no run. */
export interface ImportRun {
  /** With which the ids of its requests begin, before a hyphen and their number; null for requests of no run. */
  readonly run: string | null;
  /** Null when the keys do not exist. */
  readonly organisation: string | null;
  /** The times of the first and of the last request. */
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** `lastAt` as PostgreSQL writes it. */
  readonly exact_at: string;
  /** The number of requests that stored something, and what they stored, including undone ones. */
  readonly requests: number;
  readonly rows: ItemCounts;
  /** The number of refused requests, without dry runs. */
  readonly refused: number;
  /** How many of the requests are undone. */
  readonly undone: number;
}

/** How many import requests of one API key a filter selects. */
export interface KeyCounts {
  readonly apiKeyId: string;
  /** Including undone requests. */
  readonly all: number;
  /** Without undone requests. */
  readonly requests: number;
  /** Rows that these requests stored, including the notes that they pinned. */
  readonly rows: number;
}

/** The counts, with the sender. */
export interface SenderCounts extends KeyCounts {
  /** Undefined when the key does not exist. */
  readonly sender: Sender | undefined;
}
