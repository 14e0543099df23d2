import type { Socket } from 'node:net';
import { SlowReaders } from './slow-readers.js';

const KILOBYTE = 1_000;

/** A connection as it is seen, with bytes of an answer that the process still has. */
function connection(): { socket: Socket; write: (bytes: number) => void; isClosed: () => boolean } {
  const seen = { writableLength: 64_000, bytesWritten: 64_000, destroyed: false };
  const socket = Object.assign(seen, {
    destroy: () => {
      seen.destroyed = true;
    },
  }) as unknown as Socket;
  const write = (bytes: number): void => {
    seen.bytesWritten += bytes;
  };
  return { socket, write, isClosed: () => seen.destroyed };
}

/** Look at a connection every five seconds, whatever time that takes. @returns looks until it was closed */
async function looksUntilClosed(bytesBetween: (look: number) => number, looksMax: number): Promise<string> {
  const reasons: string[] = [];
  const readers = new SlowReaders({
    STALLED_CONNECTION_SECONDS: 60,
    closed: (reason) => reasons.push(reason),
  });
  expect(readers.intervalMs).toBe(5_000);
  const { socket, write, isClosed } = connection();
  for (let look = 0; look < looksMax; look += 1) {
    await readers.look([socket]);
    if (isClosed()) return `${reasons.join()} after ${look * 5} s`;
    write(bytesBetween(look));
  }
  return 'open';
}

describe('a client that reads an answer', () => {
  it.each([
    ['100 kB a second', () => 500 * KILOBYTE, 'open'],
    ['10 kB a second', () => 50 * KILOBYTE, 'open'],
    ['nothing', () => 0, 'stalled after 60 s'],
    ['a byte at a time', () => 1, 'too_slow after 120 s'],
    ['9 kB a second', () => 45 * KILOBYTE, 'too_slow after 120 s'],
    // The first two minutes are judged together, and the next.
    ['slower after a minute', (look: number) => (look < 12 ? 500 : 1) * KILOBYTE, 'too_slow after 240 s'],
    [
      'now and then, a megabyte in a minute',
      (look: number) => (look % 12 === 11 ? 1_000 * KILOBYTE : 0),
      'open',
    ],
  ])('at the rate of %s', async (_title, bytesBetween, expected) => {
    expect(await looksUntilClosed(bytesBetween, 100)).toBe(expected);
  });
});
