import { Intervals } from '../rows/intervals.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import type { JournalEvent, Prepared, RunStarted, Settled } from './events.js';
import { MovedRows } from './moves.js';
import type { Preparation } from '../rows/preparation.js';

/** The number of seconds for which the chart of a report adds up rows. */
export const SPAN_SECONDS = 10;

/** The outcome of the rows of a kind so far. */
class KindState {
  /** @param from the number of the first line that counts; earlier lines are set aside */
  constructor(readonly from = 0) {}

  prepared: Prepared | undefined;
  /** Positions of the rows that are settled: acknowledged or failed. */
  readonly done = new Intervals();
  loaded = 0;
  already = 0;
  failed = 0;
  /** Rows that had failed and then arrived. */
  readonly arrived = new Intervals();
  /** For each row that failed more than once, by position, the number of the line with its last failure. */
  readonly failedAgain = new Map<number, number>();
  /** Whether every row that counts as stored was found at the service. */
  isChecked = false;
  /** Positions of the rows that the service acknowledged in the current run. */
  ofRun = new Intervals();
  /** Rows that were moved into the open statement period. */
  readonly moved = new MovedRows();
  /** The digests that identify repeated rows, for accounts that still have rows to send. */
  readonly seen = new Map<string, string[]>();

  /** Number of settled rows. */
  get settled(): number {
    return this.loaded + this.already + this.failed;
  }

  get preparation(): Preparation | undefined {
    return this.prepared?.preparation;
  }
}

/** A run, with what it has settled so far. */
type Run = Omit<RunStarted, 'settled'> & { readonly settled: Record<keyof Settled, number> };

/** The content of a journal. It is built event by event, both when events are read and when they are written. */
export class JournalState {
  readonly runs: Run[] = [];
  private readonly kinds = new Map<Kind, KindState>(KINDS.map((kind) => [kind, new KindState()]));
  /** The number of rows settled in each span of {@link SPAN_SECONDS}, by the number of the span since 1970. */
  readonly spans = new Map<number, number>();

  of(kind: Kind): KindState {
    const state = this.kinds.get(kind);
    if (!state) throw new Error(`There is no kind ${kind}.`);
    return state;
  }

  /** @param line the number of the event's line in the file */
  apply(event: JournalEvent, line: number): void {
    switch (event.event) {
      case 'run':
        this.runs.push({ ...event, settled: { ...(event.settled ?? { loaded: 0, already: 0, failed: 0 }) } });
        for (const state of this.kinds.values()) {
          state.ofRun = new Intervals();
          if (event.command !== 'retry') state.isChecked = false;
        }
        break;
      case 'prepared':
        this.of(event.preparation.kind).prepared = event;
        break;
      case 'set-aside':
        for (const kind of event.kinds) this.kinds.set(kind, new KindState(line));
        break;
      case 'missed':
        this.miss(event);
        break;
      case 'checked':
        for (const kind of event.kinds) this.of(kind).isChecked = true;
        break;
      case 'rates':
        for (const [span, rows] of event.spans) this.addToSpan(span, rows);
        break;
      case 'ack':
        this.acknowledge(event);
        break;
      case 'failed':
        this.fail(event, line);
        break;
      case 'arrived':
        this.arrive(event);
        break;
    }
  }

  private acknowledge(event: JournalEvent & { event: 'ack' }): void {
    const state = this.of(event.kind);
    state.isChecked = false;
    for (const [start, end] of event.ranges) {
      state.done.add(start, end);
      // An event with time 0 was merged from an earlier run.
      if (event.at !== 0) state.ofRun.add(start, end);
    }
    state.loaded += event.loaded;
    state.already += event.already;
    state.moved.add(event.moved);
    this.settle(event.at, event);
    if (event.account === undefined) return;
    if (event.seen === undefined) state.seen.delete(event.account);
    else state.seen.set(event.account, [...(state.seen.get(event.account) ?? []), event.seen]);
  }

  private fail(event: JournalEvent & { event: 'failed' }, line: number): void {
    const state = this.of(event.kind);
    if (event.was) {
      state[event.was] -= 1;
      state.failed += 1;
      this.takeBack(state, [[event.start, event.end]], event.was);
      this.countInRun(event.at, { failed: 1 });
      // The position of the row lies in the range that was acknowledged.
      if (!state.arrived.has(event.start)) return;
      state.arrived.remove(event.start, event.end);
    } else if (event.isAgain) {
      this.countInRun(event.at, { failed: 1 });
    } else {
      state.done.add(event.start, event.end);
      state.failed += 1;
      this.settle(event.at, { failed: 1 });
      return;
    }
    state.failedAgain.set(event.start, line);
  }

  private miss({ kind, ranges, loaded, already, isAgain }: JournalEvent & { event: 'missed' }): void {
    const state = this.of(kind);
    for (const [start, end] of ranges) state[isAgain ? 'arrived' : 'done'].remove(start, end);
    state.loaded -= loaded;
    state.already -= already;
    if (isAgain) state.failed += loaded + already;
    this.takeBack(state, ranges, loaded > 0 ? 'loaded' : 'already');
  }

  /**
   * Mark rows as missing at the service. The counts of earlier runs do not change.
   *
   * @param was the count to which the rows most likely belonged
   */
  private takeBack(
    { ofRun, moved }: KindState,
    ranges: readonly (readonly [start: number, end: number])[],
    was: 'loaded' | 'already',
  ): void {
    let count = 0;
    for (const [start, end] of ranges) {
      moved.remove(start, end);
      if (!ofRun.has(start)) continue;
      ofRun.remove(start, end);
      count += 1;
    }
    const settled = this.runs.at(-1)?.settled;
    if (!settled) return;
    const ofWas = Math.min(count, settled[was]);
    settled[was] -= ofWas;
    settled[was === 'loaded' ? 'already' : 'loaded'] -= count - ofWas;
  }

  private arrive(event: JournalEvent & { event: 'arrived' }): void {
    const state = this.of(event.kind);
    state.isChecked = false;
    state.arrived.add(event.start, event.end);
    if (event.at !== 0) state.ofRun.add(event.start, event.end);
    state.failed -= 1;
    state.moved.add(event.moved);
    if (event.isNew) state.loaded += 1;
    else state.already += 1;
    this.settle(event.at, event.isNew ? { loaded: 1 } : { already: 1 });
  }

  /** @param at 0 if the rows of the event are already counted in the rates and in the counts of a run */
  private settle(at: number, rows: Partial<Settled>): void {
    if (at === 0) return;
    const { loaded = 0, already = 0, failed = 0 } = rows;
    this.addToSpan(Math.floor(at / 1_000 / SPAN_SECONDS), loaded + already + failed);
    this.countInRun(at, rows);
  }

  private countInRun(at: number, { loaded = 0, already = 0, failed = 0 }: Partial<Settled>): void {
    const settled = this.runs.at(-1)?.settled;
    if (!settled || at === 0) return;
    settled.loaded += loaded;
    settled.already += already;
    settled.failed += failed;
  }

  private addToSpan(span: number, rows: number): void {
    this.spans.set(span, (this.spans.get(span) ?? 0) + rows);
  }
}
