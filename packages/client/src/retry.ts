import type { DataImportError } from './errors.js';

/** How a call is retried. */
export interface RetryOptions {
  /** Maximum number of requests for one call, including the first: 10 by default. */
  readonly attempts?: number;
  /** Longest pause that the client chooses itself: 30,000 ms by default. A longer `Retry-After` is still obeyed. */
  readonly maxWaitMs?: number;
  /** No pause begins that would end later than this after the beginning of the call: 300,000 ms by default. */
  readonly giveUpAfterMs?: number;
}

export type RetryReason = 'connection' | 'timeout' | 'throttled' | 'unavailable' | 'server_error';

/** An upcoming retry. */
export interface RetryEvent {
  readonly reason: RetryReason;
  readonly waitMs: number;
  readonly requestId: string;
  /** Number of requests sent for the call so far. */
  readonly attempt: number;
  readonly error: DataImportError;
}

/** The progress of a call. */
export interface Progress {
  /** Number of requests sent. */
  readonly attempt: number;
  readonly elapsedMs: number;
}

const FIRST_WAIT_MS = 500;
/** Maximum random addition to `Retry-After`, so that clients that got the same whole seconds do not return together. */
const RETRY_AFTER_SPREAD_MS = 500;
/** Errors of an idle connection that the server has just closed; a new connection most likely works. */
const RESET = new Set(['ECONNRESET', 'EPIPE']);

/** Statuses after which the same request may succeed (docs/errors.md). A proxy sends 502 and 504 when the service does not answer. */
const RETRYABLE = new Set([429, 500, 502, 503, 504]);

/**
 * Whether a request may be sent again unchanged after an answer with this status.
 *
 * @param isRepeatable whether the service recognises items that it has already stored; if not, only an answer sent before
 *   anything is stored allows a retry
 */
export function isRetryableStatus(status: number, isRepeatable: boolean): boolean {
  return status === 429 || (isRepeatable && RETRYABLE.has(status));
}

/**
 * How long to wait before a failed call is retried: the answer's `Retry-After` plus a short random time, or else exponential
 * backoff with jitter, each pause being between half and all of its maximum. After the first reset of a connection there is no
 * pause.
 *
 * @param random returns a number from 0 (inclusive) to 1 (exclusive)
 * @returns milliseconds, or undefined when the call has finally failed
 */
export function waitBeforeRetry(
  error: DataImportError,
  { attempt, elapsedMs }: Progress,
  options: RetryOptions | false,
  random: () => number,
): number | undefined {
  if (options === false || !error.retryable) return undefined;
  const { attempts = 10, maxWaitMs = 30_000, giveUpAfterMs = 300_000 } = options;
  if (attempt >= attempts) return undefined;
  const waitMs = pauseOf(error, attempt, maxWaitMs, random);
  return elapsedMs + waitMs > giveUpAfterMs ? undefined : waitMs;
}

function pauseOf(error: DataImportError, attempt: number, maxWaitMs: number, random: () => number): number {
  if (error.retryAfterSeconds !== undefined) {
    return error.retryAfterSeconds * 1_000 + Math.floor(random() * RETRY_AFTER_SPREAD_MS);
  }
  if (attempt === 1 && isReset(error)) return 0;
  const longest = Math.min(maxWaitMs, FIRST_WAIT_MS * 2 ** (attempt - 1));
  return Math.ceil(longest * (0.5 + random() / 2));
}

function isReset({ code, cause }: DataImportError): boolean {
  return code === 'connection_failed' && RESET.has((cause as NodeJS.ErrnoException | undefined)?.code ?? '');
}

export function retryReasonOf({ code, status }: DataImportError): RetryReason {
  if (code === 'timeout') return 'timeout';
  if (status === undefined) return 'connection';
  if (status === 429) return 'throttled';
  return status === 503 ? 'unavailable' : 'server_error';
}

/**
 * The seconds of a `Retry-After` header, which may also be a date.
 *
 * @param nowMs Unix time
 */
export function retryAfterSeconds(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  // `Date.parse` of Node.js accepts almost any number as a date.
  const date = /[a-z]/i.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - nowMs) / 1_000));
}
