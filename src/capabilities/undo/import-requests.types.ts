import type { RequestFilter, SenderCounts } from '../request-log/requests/stored-requests.types.js';

/** Which import requests of a supplier are meant. */
export interface ChosenRequests extends RequestFilter {
  /** Id or name of the organisation that sent them; of any by default. */
  readonly organisation?: string | undefined;
}

/** How many import requests were chosen. */
export interface RequestCounts {
  /** Those that are undone too. */
  readonly all: number;
  /** Those that are not. */
  readonly requests: number;
  /** What these have stored, with the notes that they have pinned. */
  readonly rows: number;
  /** The same by the API keys that sent some that are not undone, the most first. */
  readonly senders: readonly SenderCounts[];
}
