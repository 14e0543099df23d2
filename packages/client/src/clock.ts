import { setTimeout as delay } from 'node:timers/promises';

/** Time and chance, for tests that must not wait. */
export interface Clock {
  /** Milliseconds since any fixed moment; never goes back. */
  readonly now: () => number;
  /** Rejects with the reason of the signal as soon as it is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 up to, but not including, 1. */
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
