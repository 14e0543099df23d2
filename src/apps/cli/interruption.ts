import type { EventEmitter } from 'node:events';
import { constants } from 'node:os';

/** What shells add to the number of the signal that ended a command. */
const ENDED_BY_SIGNAL = 128;

/** One Ctrl-C may arrive twice, from the terminal and from npm; a signal that comes this much later is a second one. */
const SECOND_SIGNAL_MS = 1_000;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** A signal ended a command in the middle of its work. */
export class Interruption extends Error {
  readonly exitCode: number;

  constructor(signal: (typeof SIGNALS)[number]) {
    super(`The command was interrupted (${signal}) before it was done.`);
    this.exitCode = ENDED_BY_SIGNAL + constants.signals[signal];
  }
}

/**
 * Watch for signals.
 *
 * @param onFirst called with the first signal
 * @param onSecond called with every signal that comes a second or more after the first
 * @returns stops watching
 */
export function watchSignals(
  signals: EventEmitter,
  onFirst: (interruption: Interruption) => void,
  onSecond: (interruption: Interruption) => void,
): () => void {
  let firstMs: number | undefined;
  const handlers = SIGNALS.map((signal) => {
    const handle = (): void => {
      const interruption = new Interruption(signal);
      if (firstMs === undefined) {
        firstMs = performance.now();
        onFirst(interruption);
      } else if (performance.now() - firstMs > SECOND_SIGNAL_MS) {
        onSecond(interruption);
      }
    };
    signals.on(signal, handle);
    return [signal, handle] as const;
  });
  return () => {
    for (const [signal, handle] of handlers) signals.off(signal, handle);
  };
}
