import type { Readable } from 'node:stream';

/** How many streams are read in one iteration of the event loop, a chunk or two of each: about 2 ms of work. */
const STREAMS_PER_TURN = 4;

/** Paused streams, the longest waiting first. */
const waiting: Readable[] = [];

/**
 * Read a stream a chunk or two at a time, and few streams in each iteration of the event loop. Node.js would read up to 32 chunks
 * (2 MB) of every connection before anything else happens, so each client that sends at the same time would delay all others
 * further.
 *
 * @param payload its chunks are discarded if it has no other listeners
 */
export function readRoundRobin(payload: Readable): void {
  payload.on('data', () => {
    payload.pause();
    if (waiting.push(payload) === 1) setImmediate(turn);
  });
  payload.resume();
}

function turn(): void {
  for (const payload of waiting.splice(0, STREAMS_PER_TURN)) payload.resume();
  if (waiting.length > 0) setImmediate(turn);
}
