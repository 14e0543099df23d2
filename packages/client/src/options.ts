import type { Clock } from './clock.js';
import type { RetryEvent, RetryOptions } from './retry.js';
import type { ApiKey } from './tokens.js';

export interface ClientOptions {
  /** Where the service is, such as `https://import.example.com`; ask the operator. */
  readonly baseUrl: string;
  /** The key that the operator issued, or a function that reads it, from a secret store for example. */
  readonly apiKey: ApiKey;
  /** Most requests at a time: 8 unless given, which one process of the service never rejects. Others wait. */
  readonly connections?: number;
  /** Longest time for one answer, or for the next part of a list: 60,000 ms unless given. */
  readonly timeoutMs?: number;
  /** How long calls are repeated; `false`: not at all. */
  readonly retry?: RetryOptions | false;
  /** Called before each pause. A program with many workers can slow all of them down. */
  readonly onRetry?: (event: RetryEvent) => void;
  /** Sent as `User-Agent`, in front of the client's own. */
  readonly userAgent?: string;
  /** Certificates to trust instead of those of Node.js, as PEM. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[];
  /** For tests. */
  readonly clock?: Clock;
}

/** Options of every call. */
export interface CallOptions {
  /** Ends the call, also while it waits; it then throws the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Names the request in the log of the service: 1 to 128 of `A-Z a-z 0-9 . _ -`. A random one unless given. */
  readonly requestId?: string;
  /** As that of the client, for this call. */
  readonly timeoutMs?: number;
  /** As that of the client, for this call. */
  readonly retry?: RetryOptions | false;
}

export interface ContentOptions extends CallOptions {
  /** `true` adds the rows, each with its digest. Such a request is recorded. */
  readonly rows?: boolean;
  /** `true` adds the digests of the rows to each section. Such a request is not recorded. */
  readonly rowDigests?: boolean;
}

/** Options of calls that store something. */
export interface CreateOptions extends CallOptions {
  /** Check and answer the same, and store nothing. */
  readonly dryRun?: boolean;
}

export interface CreateTransactionsOptions extends CreateOptions {
  /**
   * `false` adds transactions without looking whether they are there. Such a call is not repeated after a failure that
   * leaves open whether it was stored; repeat it without this option.
   */
  readonly checkPreviouslyAdded?: boolean;
  /** `false` rejects transactions outside the open statement period ({@link TransactionImportError}) instead of moving them. */
  readonly forceAddToCurrentStatement?: boolean;
}

export interface ListOptions extends CallOptions {
  /** Begin after this account number. */
  readonly after?: string;
  /** Accounts of one request, 1 to 10,000. Unless given, one request streams the whole list. */
  readonly pageSize?: number;
}

export interface ListContentsOptions extends ListOptions {
  /** As that of {@link ContentOptions}. */
  readonly rowDigests?: boolean;
}

/** Which changes are read. */
export interface ChangesOptions extends CallOptions {
  /** Code of the supplier. */
  readonly supplier: string;
  /** From the last change that was processed, or from a `FeedRestartedError`. Without it the whole history is read. */
  readonly cursor?: string | null | undefined;
  /** The name under which operators see how far this reader is. A change counts as processed when a later one is requested. */
  readonly reader?: string | undefined;
}
