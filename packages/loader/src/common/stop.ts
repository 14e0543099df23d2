import { setMaxListeners } from 'node:events';

/** The reason why a run ends before all rows were sent. */
export type StopReason =
  | { readonly is: 'interrupted' }
  | { readonly is: 'max-errors'; readonly limit: number }
  | { readonly is: 'away'; readonly forMs: number; readonly why: string | undefined }
  | { readonly is: 'refused'; readonly sentence: string; readonly isUsage: boolean };

/** Ends a run: no request begins after it. */
export class Stop {
  private readonly beginning = new AbortController();
  private readonly running = new AbortController();
  /** Aborted when no further work may begin. */
  readonly signal = this.beginning.signal;
  /** Aborted when running requests must be given up. */
  readonly requests = this.running.signal;
  /** Undefined until something ends the run. */
  reason: StopReason | undefined;

  constructor() {
    // Every worker listens, and Node.js warns of more than ten listeners.
    setMaxListeners(0, this.signal, this.requests);
  }

  because(reason: StopReason): void {
    this.reason ??= reason;
    this.beginning.abort();
    if (reason.is === 'away') this.running.abort();
  }
}
