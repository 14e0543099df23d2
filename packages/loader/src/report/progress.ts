import { KINDS } from '../kinds/kinds.js';

/** Clears the current line of a terminal and moves the cursor to its beginning. */
export const CLEAR_LINE = '\r\u001B[K';

/** The time between two lines. On a terminal the one line is redrawn more often. */
const [LINE_INTERVAL_MS, TERMINAL_INTERVAL_MS] = [10_000, 250];

/** The rate is measured over this time. */
const RATE_MS = 60_000;

/** Unsuccessful requests are reported only after this time. */
const VAIN_MS = 2_000;

const WIDTH = 80;

interface Counted {
  settled: number;
  readonly rows: number;
  failed: number;
}

/**
 * The progress of a command, for the person who runs it. It contains names of kinds or of another activity, and counts,
 * but no data of any row. On a terminal it is shown in the last line, elsewhere in a new line every ten seconds while
 * work is done.
 */
export class Progress {
  private readonly kinds = new Map<string, Counted>();
  /** Describes the current activity; undefined before the first one. */
  private what: (() => string) | undefined;
  private isNew = false;
  private isDrawn = false;
  /** The reason for unsuccessful requests, if no row has been settled since. */
  private vain: { why: string; readonly since: number } | undefined;
  /** The number of settled rows at times that are a second apart. */
  private samples: { readonly at: number; readonly settled: number }[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly stream: NodeJS.WriteStream,
    private readonly now: () => number,
  ) {
    const draw = (): void => {
      this.draw();
    };
    this.timer = setInterval(draw, stream.isTTY ? TERMINAL_INTERVAL_MS : LINE_INTERVAL_MS);
    this.timer.unref();
  }

  /** @param share a number from 0 to 1 */
  reading(kind: string, share: number): void {
    this.show(() => `${kind}: ${Math.floor(share * 100)} % of the files read`);
  }

  /**
   * @param settled the number of rows that need not be sent
   * @param rows the number of all rows
   */
  kind(kind: string, settled: number, rows: number): void {
    this.kinds.set(kind, { settled, rows, failed: 0 });
    this.samples = [];
  }

  /**
   * Called when the service neither accepts nor rejects a request.
   *
   * @param why the reason, such as `answers 503`
   */
  undecided(why: string): void {
    this.vain ??= { why, since: this.now() };
    this.vain.why = why;
  }

  settled(kind: string, rows: number, failed: number): void {
    this.vain = undefined;
    const counted = this.kinds.get(kind);
    if (!counted) return;
    const all = this.allWith(kind, counted);
    const at = this.now();
    if (at - (this.samples.at(-1)?.at ?? -Infinity) >= 1_000) this.samples.push({ at, settled: all.settled });
    while ((this.samples[1]?.at ?? Infinity) <= at - RATE_MS) this.samples.shift();
    counted.settled += rows;
    counted.failed += failed;
    this.show(() => this.describe(kind, counted));
  }

  stop(): void {
    clearInterval(this.timer);
    if (!this.isDrawn) return;
    this.draw();
    this.isDrawn = false;
    this.stream.write('\n');
  }

  private show(what: () => string): void {
    this.what = what;
    this.isNew = true;
  }

  private draw(): void {
    const vain = this.vainText();
    const text = vain ?? this.what?.();
    if (text === undefined) return;
    if (this.stream.isTTY) {
      this.isDrawn = true;
      this.stream.write(`${CLEAR_LINE}${text.slice(0, (this.stream.columns || WIDTH) - 1)}`);
    } else if (this.isNew || vain !== undefined) {
      this.stream.write(`${text}\n`);
    }
    this.isNew = false;
  }

  /** A sentence such as `For 20 s the service answers 503; retrying.`; undefined while rows are settled. */
  private vainText(): string | undefined {
    if (!this.vain) return undefined;
    const { why, since } = this.vain;
    const forMs = this.now() - since;
    if (forMs < VAIN_MS) return undefined;
    return `For ${durationText(forMs / 1_000)} the service ${why}; retrying.`;
  }

  /** A line such as `notes: 5 of 10 rows, 1 failed; all kinds: 50 %, 1,200 rows a second, 3 min left`. */
  private describe(kind: string, counted: Counted): string {
    const { settled, rows, failed } = counted;
    const all = this.allWith(kind, counted);
    const failures = failed > 0 ? `, ${countText(failed)} failed` : '';
    const share = `; all kinds: ${Math.floor((100 * all.settled) / all.rows)} %`;
    const pace = this.pace(all);
    return `${kind}: ${countText(settled)} of ${countText(rows)} rows${failures}${all === counted ? '' : share}${pace && `, ${pace}`}`;
  }

  /** The counts to show. Rows that are sent are added up over all kinds; other activities have a single count. */
  private allWith(kind: string, counted: Counted): Counted {
    const sent = KINDS.flatMap((one) => this.kinds.get(one) ?? []);
    if (sent.length < 2 || !KINDS.some((one) => one === kind)) return counted;
    const sum = (name: keyof Counted): number => sent.reduce((total, one) => total + one[name], 0);
    return { settled: sum('settled'), rows: sum('rows'), failed: sum('failed') };
  }

  /** A text such as `1,200 rows a second, 3 min left`. */
  private pace({ settled, rows }: Counted): string {
    const [first] = this.samples;
    const seconds = first ? (this.now() - first.at) / 1_000 : 0;
    if (!first || seconds < 1) return '';
    const rate = (settled - first.settled) / seconds;
    const left = rate > 0 && settled < rows ? `, ${durationText((rows - settled) / rate)} left` : '';
    return `${countText(Math.round(rate))} rows a second${left}`;
  }
}

export function countText(count: number): string {
  return count.toLocaleString('en');
}

/** A date-time of milliseconds since 1970, in UTC and whole seconds. */
export function dateTimeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

export function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = seconds / 60;
  return minutes < 90 ? `${Math.round(minutes)} min` : `${(minutes / 60).toFixed(1)} h`;
}
