import type { Readable } from 'node:stream';

/** So many streams are read in one turn of the event loop, a chunk or two of each: about 2 ms of work. */
const STREAMS_PER_TURN = 4;

/** Streams that wait for a turn, the longest waiting first. */
const waiting: Readable[] = [];

/**
 * Read a stream a chunk or two at a time, and few streams in each turn of the event loop. Node.js would read up to 32 chunks
 * of every connection, which are 2 MB each, before anything else happens: clients that send at the same time would delay all
 * others, the more of them the longer.
 *
 * @param payload without other listeners its chunks are discarded
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
