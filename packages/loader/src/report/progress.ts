import { MultiBar, type SingleBar } from 'cli-progress';

/**
 * How far a command has come, for the person who runs it. It names kinds, or another word for what is done with rows, and counts,
 * and nothing of any row.
 */
export interface Progress {
  /** @param share from 0 to 1 */
  readonly reading: (kind: string, share: number) => void;
  /** @param settled rows that need not be sent @param rows all rows */
  readonly kind: (kind: string, settled: number, rows: number) => void;
  readonly settled: (kind: string, rows: number, failed: number) => void;
  /** The service was asked in vain. @param status of its answer; 0: there was none */
  readonly undecided: (status: number) => void;
  readonly stop: () => void;
}

const LINE_INTERVAL_MS = 10_000;

interface Counted {
  settled: number;
  /** Settled when the run began. */
  readonly before: number;
  readonly rows: number;
  failed: number;
  startedAt: number | undefined;
}

/** Bars on a terminal, elsewhere a line every ten seconds. */
export function startProgress(stream: NodeJS.WriteStream, now: () => number): Progress {
  return stream.isTTY ? new Bars(stream, now) : new Lines(stream, now);
}

abstract class Counting implements Progress {
  protected readonly kinds = new Map<string, Counted>();

  /** What was asked in vain since a row was settled. */
  private vain: { status: number; readonly since: number } | undefined;

  constructor(protected readonly now: () => number) {}

  abstract reading(kind: string, share: number): void;
  abstract stop(): void;

  kind(kind: string, settled: number, rows: number): void {
    this.kinds.set(kind, { settled, before: settled, rows, failed: 0, startedAt: undefined });
  }

  undecided(status: number): void {
    this.vain ??= { status, since: this.now() };
    this.vain.status = status;
  }

  /** Such as `The service has not answered for 20 s; it is asked again.`; nothing while rows are settled. */
  protected vainText(): string | undefined {
    if (!this.vain) return undefined;
    const { status, since } = this.vain;
    const what = status === 0 ? 'has not answered' : `has answered ${status}`;
    return `The service ${what} for ${durationText((this.now() - since) / 1_000)}; it is asked again.`;
  }

  settled(kind: string, rows: number, failed: number): void {
    this.vain = undefined;
    const counted = this.kinds.get(kind);
    if (!counted) return;
    counted.startedAt ??= this.now();
    counted.settled += rows;
    counted.failed += failed;
  }

  /** Such as `1,200 a second, 3 min left`. */
  protected pace({ settled, before, rows, startedAt }: Counted): string {
    const seconds = startedAt === undefined ? 0 : (this.now() - startedAt) / 1_000;
    if (seconds < 1) return '';
    const rate = (settled - before) / seconds;
    const left = rate > 0 && settled < rows ? `, ${durationText((rows - settled) / rate)} left` : '';
    return `${countText(Math.round(rate))} a second${left}`;
  }
}

class Bars extends Counting {
  private readonly bars: MultiBar;
  private readonly ofKind = new Map<string, SingleBar>();
  private readonly timer: NodeJS.Timeout;

  constructor(stream: NodeJS.WriteStream, now: () => number) {
    super(now);
    this.bars = new MultiBar({
      format: '{name} {bar} {percentage} % | {what}',
      barCompleteChar: '█',
      barIncompleteChar: '░',
      hideCursor: true,
      gracefulExit: false,
      clearOnComplete: false,
      stream,
    });
    this.timer = setInterval(() => {
      this.draw();
    }, 200);
    this.timer.unref();
  }

  override kind(kind: string, settled: number, rows: number): void {
    super.kind(kind, settled, rows);
    const bar = this.bar(kind);
    bar.setTotal(Math.max(rows, 1));
    bar.update(settled, { what: 'waiting' });
  }

  reading(kind: string, share: number): void {
    const bar = this.bar(kind);
    bar.setTotal(100);
    bar.update(Math.floor(share * 100), { what: 'reading the files' });
  }

  stop(): void {
    clearInterval(this.timer);
    this.draw();
    this.bars.stop();
  }

  private bar(kind: string): SingleBar {
    const known = this.ofKind.get(kind);
    if (known) return known;
    const bar = this.bars.create(100, 0, { name: kind.padEnd(20), what: '' });
    this.ofKind.set(kind, bar);
    return bar;
  }

  private draw(): void {
    for (const [kind, counted] of this.kinds) {
      if (counted.startedAt === undefined && this.vainText() === undefined) continue;
      const failed = counted.failed > 0 ? ` | ${countText(counted.failed)} failed` : '';
      const isOver = counted.settled >= counted.rows;
      const pace = (isOver ? undefined : this.vainText()) ?? this.pace(counted);
      const what = `${countText(counted.settled)} of ${countText(counted.rows)} rows | ${pace}${failed}`;
      this.bar(kind).update(counted.settled, { what });
    }
  }
}

class Lines extends Counting {
  private text: (() => string) | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(stream: NodeJS.WriteStream, now: () => number) {
    super(now);
    this.timer = setInterval(() => {
      const text = this.text?.() ?? this.vainText();
      if (text !== undefined) stream.write(`${text}\n`);
      this.text = undefined;
    }, LINE_INTERVAL_MS);
    this.timer.unref();
  }

  reading(kind: string, share: number): void {
    this.text = () => `${kind}: ${Math.floor(share * 100)} % of the files read`;
  }

  override settled(kind: string, rows: number, failed: number): void {
    super.settled(kind, rows, failed);
    const counted = this.kinds.get(kind);
    if (counted) this.text = () => `${kind}: ${this.describe(counted)}`;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private describe(counted: Counted): string {
    const failures = counted.failed > 0 ? `, ${countText(counted.failed)} failed` : '';
    const pace = this.pace(counted);
    return `${countText(counted.settled)} of ${countText(counted.rows)} rows${failures}${pace && `, ${pace}`}`;
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
