import type { Clock } from './clock.js';
import type { RetryEvent, RetryOptions } from './retry.js';
import type { ApiKey } from './tokens.js';

export interface ClientOptions {
  /** Address of the service, such as `https://import.example.com`; ask the operator. */
  readonly baseUrl: string;
  /** The key that the operator issued, or a function that reads it, for example from a secret store. */
  readonly apiKey: ApiKey;
  /** Maximum number of concurrent requests: 8 by default, which one process of the service never rejects. Others wait. */
  readonly connections?: number;
  /** Timeout for an answer, or for the next part of a list: 60,000 ms by default. */
  readonly timeoutMs?: number;
  /** How calls are retried; `false` for no retries. */
  readonly retry?: RetryOptions | false;
  /** Called before each pause. A program with many workers can use it to slow all of them down. */
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
  /** Ends the call, even while it waits. The call then throws the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Identifies the request in the service's log: 1 to 128 of `A-Z a-z 0-9 . _ -`. A random id by default. */
  readonly requestId?: string;
  /** Replaces the client's option for this call. */
  readonly timeoutMs?: number;
  /** Replaces the client's option for this call. */
  readonly retry?: RetryOptions | false;
}

export interface ContentOptions extends CallOptions {
  /** `true` adds the rows, each with its digest. The service records such a request. */
  readonly rows?: boolean;
  /** `true` adds the digests of the rows to each section. The service does not record such a request. */
  readonly rowDigests?: boolean;
}

/** Options of calls that store something. */
export interface CreateOptions extends CallOptions {
  /** Check and answer in the same way, but store nothing. */
  readonly dryRun?: boolean;
}

export interface CreateTransactionsOptions extends CreateOptions {
  /**
   * `false` adds transactions without checking whether they already exist. The call is then not retried after a failure that
   * leaves open whether it was stored; repeat it without this option.
   */
  readonly checkPreviouslyAdded?: boolean;
  /** `false` rejects transactions outside the open statement period ({@link TransactionImportError}) instead of moving them. */
  readonly forceAddToCurrentStatement?: boolean;
}

export interface ListOptions extends CallOptions {
  /** Begin after this account number. */
  readonly after?: string;
  /** Accounts per request, 1 to 10,000. By default, one request streams the whole list. */
  readonly pageSize?: number;
}

export interface ListContentsOptions extends ListOptions {
  /** See {@link ContentOptions}. */
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
