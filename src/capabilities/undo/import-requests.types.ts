import type { RequestFilter, SenderCounts } from '../request-log/requests/stored-requests.types.js';

/** Which import requests of a supplier are chosen. */
export interface ChosenRequests extends RequestFilter {
  /** Id or name of the organisation that sent them; any organisation by default. */
  readonly organisation?: string | undefined;
}

/** How many import requests were chosen. */
export interface RequestCounts {
  /** Including undone requests. */
  readonly all: number;
  /** Without undone requests. */
  readonly requests: number;
  /** Whether the supplier is paused, without which nothing is undone. */
  readonly isPaused: boolean;
  /** Rows that these requests stored, including the notes that they pinned. */
  readonly rows: number;
  /** The counts by API key, for keys with requests that are not undone, the highest count first. */
  readonly senders: readonly SenderCounts[];
}
