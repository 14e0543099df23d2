import { setTimeout as delay } from 'node:timers/promises';

const SAY_AFTER_MS = 5_000;
const POLL_MS = 50;
const POLL_WHEN_LONG_MS = 500;

export interface WaitingOptions {
  readonly say: (sentence: string) => void;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
  /** A wait that takes longer is told; tests shorten it. */
  readonly sayAfterMs?: number;
}

/** A wait for others, that says once what it waits for when it takes long. */
export class Waiting {
  private readonly beganMs = performance.now();
  private hasSaid = false;

  constructor(private readonly options: WaitingOptions) {}

  get ms(): number {
    return performance.now() - this.beganMs;
  }

  /** @throws the signal's reason, or an AbortError, when it is aborted */
  async step(what: string): Promise<void> {
    const { say, signal, sayAfterMs = SAY_AFTER_MS } = this.options;
    signal?.throwIfAborted();
    if (!this.hasSaid && this.ms > sayAfterMs) {
      this.hasSaid = true;
      say(`Waiting for ${what} …`);
    }
    await delay(this.hasSaid ? POLL_WHEN_LONG_MS : POLL_MS, undefined, { signal });
  }
}
