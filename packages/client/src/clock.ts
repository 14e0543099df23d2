import { setTimeout as delay } from 'node:timers/promises';

/** Time and randomness, replaceable in tests that must not wait. */
export interface Clock {
  /** Monotonic time in milliseconds. */
  readonly now: () => number;
  /** Rejects with the reason of the signal as soon as it is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  sleep: async (ms, signal) => {
    try {
      await delay(ms, undefined, signal && { signal });
    } catch (error) {
      throw signal?.aborted === true ? signal.reason : error;
    }
  },
  random: Math.random,
};
