import { Throttle } from './throttle.js';

/** A job that keeps failing is reported once in this time. */
const REPORT_INTERVAL_MS = 60_000;

export interface BackgroundWork {
  /** Delay from the end of a run to the next one. */
  readonly intervalMs: number;
  /** @param signal aborted when the job is stopped */
  readonly run: (signal: AbortSignal) => Promise<void> | void;
  /** Called with the error of a run, at most once a minute. */
  readonly onFailure: (error: unknown) => void;
}

/** Work that a process repeats in the background, one run at a time. It does not keep the process alive. */
export class BackgroundJob {
  private readonly stopping = new AbortController();
  private readonly reports = new Throttle(REPORT_INTERVAL_MS);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly work: BackgroundWork) {}

  /** @param delayMs delay before the first run */
  start(delayMs = this.work.intervalMs): void {
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.running = this.run();
    }, delayMs).unref();
  }

  /** Start no further run, and wait for the current one. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  /** Never rejects: the next run does the remaining work. */
  private async run(): Promise<void> {
    try {
      await this.work.run(this.stopping.signal);
    } catch (error) {
      if (this.reports.consume()) this.work.onFailure(error);
    }
    this.start();
  }
}
