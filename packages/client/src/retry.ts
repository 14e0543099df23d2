import type { DataImportError } from './errors.js';

/** How long a call is repeated. */
export interface RetryOptions {
  /** Most requests for one call, the first included: 10 unless given. */
  readonly attempts?: number;
  /** Longest pause that the client chooses by itself: 30,000 ms unless given. `Retry-After` is obeyed beyond it. */
  readonly maxWaitMs?: number;
  /** No pause begins that would end later than this after the call began: 300,000 ms unless given. */
  readonly giveUpAfterMs?: number;
}

export type RetryReason = 'connection' | 'timeout' | 'throttled' | 'unavailable' | 'server_error';

/** A call that is about to be repeated. */
export interface RetryEvent {
  readonly reason: RetryReason;
  readonly waitMs: number;
  readonly requestId: string;
  /** How many requests were sent for the call so far. */
  readonly attempt: number;
  readonly error: DataImportError;
}

/** How far a call has come. */
export interface Progress {
  /** How many requests were sent. */
  readonly attempt: number;
  readonly elapsedMs: number;
}

const FIRST_WAIT_MS = 500;
/** Added at random to `Retry-After`, which is in whole seconds, so that those who were told the same do not return together. */
const RETRY_AFTER_SPREAD_MS = 500;
/** A connection reset is what an idle connection shows that the server has just closed; a new one most likely works. */
const RESET = new Set(['ECONNRESET', 'EPIPE']);

/** Statuses after which the same request may succeed (docs/errors.md); 502 and 504 are a proxy's, whose service did not answer. */
const RETRYABLE = new Set([429, 500, 502, 503, 504]);

/**
 * Whether a request with this answer may be sent again unchanged.
 *
 * @param isRepeatable whether the service recognises what it stored already; if not, only an answer that comes before
 *   anything is stored allows it
 */
export function isRetryableStatus(status: number, isRepeatable: boolean): boolean {
  return status === 429 || (isRepeatable && RETRYABLE.has(status));
}

/**
 * How long to wait before a failed call is repeated: the `Retry-After` of the answer and a little, or pauses that double,
 * each between half and all of its length at random. A broken connection is replaced at once the first time.
 *
 * @param random from 0 up to 1
 * @returns milliseconds, or undefined when the call has failed in the end
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
  // Node.js takes almost any number for a date.
  const date = /[a-z]/i.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - nowMs) / 1_000));
}
