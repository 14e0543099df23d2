import type { EventEmitter } from 'node:events';
import { constants } from 'node:os';

/** Shells add this to the number of the signal that ended a command. */
const ENDED_BY_SIGNAL = 128;

/** One Ctrl-C may arrive twice, from the terminal and from npm. A signal this much later counts as a second one. */
const SECOND_SIGNAL_MS = 1_000;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** A signal ended a command before it was done. */
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
 * @returns a function that stops watching
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
