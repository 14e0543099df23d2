import { setTimeout } from 'node:timers/promises';

/** The time and random numbers, which tests replace. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Ends early, without an error, when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A random number from 0 to 1. */
  readonly random: () => number;
}

export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  random: Math.random,
  sleep: async (ms, signal) => {
    await setTimeout(ms, undefined, { signal }).catch(() => undefined);
  },
};
