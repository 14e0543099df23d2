import type { Readable } from 'node:stream';

/**
 * Read a stream at most two chunks in each turn of the event loop. Node.js would read up to 32 chunks of one connection,
 * which are 2 MB, before it looks at the next, and clients that send at the same time would delay all others.
 *
 * @param payload without other listeners its chunks are discarded
 */
export function readInTurns(payload: Readable): void {
  payload.on('data', () => {
    payload.pause();
    setImmediate(() => payload.resume());
  });
  payload.resume();
}
