import { signalOfCall } from './abort.js';
import type { Caller } from './caller.js';
import { ConnectionError, ServiceError } from './errors.js';
import { NotAListError } from './list-parser.js';
import type { CallOptions } from './options.js';
import type { OpenAnswer } from './transport.js';

/** Reads successive answers, each continuing after the last element of the one before. */
export interface Source<Element> {
  /** The next answer, in parts. The source updates its position before it yields a part. */
  next(options: CallOptions): AsyncIterable<readonly Element[]>;
  /** Called after each complete answer. */
  isOver(): boolean;
}

/** The elements of successive answers, in constant memory. An answer that breaks off is resumed after its last element. */
export async function* readOn<Element>(
  caller: Caller,
  options: CallOptions,
  source: Source<Element>,
): AsyncGenerator<Element, void, undefined> {
  const { signal, release } = signalOfCall(options.signal);
  const own = { ...options, ...(signal && { signal }) };
  try {
    // Consecutive failures without an element in between.
    for (let failures = 0, beganAt = caller.now(); ;) {
      try {
        for await (const elements of source.next(own)) {
          yield* elements;
          if (elements.length > 0) [failures, beganAt] = [0, caller.now()];
        }
        if (source.isOver()) return;
        [failures, beganAt] = [0, caller.now()];
      } catch (error) {
        failures += 1;
        await caller.pause(error, failures, beganAt, own);
      }
    }
  } finally {
    release();
  }
}

/** Parses the elements of an answer while it arrives. */
interface Parser<Element> {
  readonly isComplete: boolean;
  readonly push: (chunk: Buffer) => Element[];
}

/** @throws ConnectionError (retryable) for an incomplete answer, ServiceError for an answer that is not a list */
export async function* partsOf<Element>(
  { chunks, requestId, status }: OpenAnswer,
  parser: Parser<Element>,
): AsyncGenerator<Element[], void, undefined> {
  try {
    for await (const chunk of chunks()) yield parser.push(chunk);
  } catch (error) {
    if (!(error instanceof NotAListError)) throw error;
    const { message: detail } = error;
    throw new ServiceError({ code: 'unexpected_answer', detail, requestId, status, cause: error });
  }
  if (parser.isComplete) return;
  const detail = 'The answer broke off.';
  throw new ConnectionError({ code: 'connection_failed', detail, requestId, retryable: true });
}
