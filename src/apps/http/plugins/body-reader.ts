import type { Readable } from 'node:stream';
import { AppError, validationError } from '../../../infrastructure/errors/errors.js';
import { nestedTooDeeply } from '../../../infrastructure/json/json.js';
import type { JsonCounter } from '../../../infrastructure/json/json-counter.js';
import { excessError } from '../../../infrastructure/validation/json-limits.js';
import { readRoundRobin } from './read-round-robin.js';

export interface BodyOptions {
  readonly limitBytes: number;
  /** Rejects the request once the body is complete, unless the body is too large. The bytes are not kept. */
  readonly refusal?: AppError | undefined;
  /** Counts the body's content and rejects the request when there is too much. */
  readonly counter?: JsonCounter | undefined;
}

/**
 * Read a request body.
 *
 * @param done called once, with the bytes or the error. After an error the rest of the body is not read
 * Source: choices T10, T15, T19.
 */
export function readBody(
  payload: Readable,
  { limitBytes, refusal, counter }: BodyOptions,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  let chunks: Buffer[] = [];
  let length = 0;
  let refused = refusal;
  const finish = (error: Error | null): void => {
    payload.off('data', onData).off('end', onEnd).off('error', finish);
    if (error) done(error);
    else done(null, Buffer.concat(chunks, length));
  };
  const onData = (chunk: Buffer): void => {
    length += chunk.length;
    if (length > limitBytes) {
      finish(new AppError('payload_too_large'));
      return;
    }
    if (refused) return;
    chunks.push(chunk);
    const excess = counter?.add(chunk);
    if (excess) finish(validationError([excessError(excess)]));
    if (counter?.isTooDeep === true) {
      refused = nestedTooDeeply();
      chunks = [];
    }
  };
  const onEnd = (): void => {
    finish(refused ?? null);
  };
  payload.on('data', onData).on('end', onEnd).on('error', finish);
  if (counter) readRoundRobin(payload);
}
