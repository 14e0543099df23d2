import { Intervals } from '../rows/intervals.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import type { Acknowledged, JournalEvent } from './events.js';
import { MovedRows } from './moves.js';
import type { JournalState } from './state.js';

export interface NumberedEvent {
  readonly event: JournalEvent;
  /** Number of its line in the file, counted from 0. */
  readonly line: number;
}

/** Most ranges of one event, so that no line becomes very long. */
const RANGES_PER_EVENT = 10_000;

/**
 * The events that say the same as a journal, with its acknowledgements merged. What is set aside is left out; failures and
 * what became of them stay as they are.
 *
 * @param state what the journal says
 * @param events reads the journal from its start
 */
export async function* compacted(
  state: JournalState,
  events: () => AsyncIterable<NumberedEvent>,
): AsyncGenerator<JournalEvent> {
  yield* state.runs;
  yield { event: 'rates', spans: [...state.spans] };
  for (const kind of KINDS) {
    const { prepared } = state.of(kind);
    if (prepared) yield prepared;
  }
  yield* acknowledgements(state, events);
  for await (const { event, line } of events()) {
    if (event.event === 'missed' && event.isAgain) {
      if (line >= state.of(event.kind).from) yield event;
    } else if (event.event === 'failed' || event.event === 'arrived') {
      // Its time is in the rates.
      if (line >= state.of(event.kind).from) yield { ...event, at: 0 };
    }
  }
  yield { event: 'checked', at: 0, kinds: KINDS.filter((kind) => state.of(kind).isChecked) };
}

async function* acknowledgements(
  state: JournalState,
  events: () => AsyncIterable<NumberedEvent>,
): AsyncGenerator<Acknowledged> {
  const totals = new Map<Kind, { ranges: Intervals; loaded: number; already: number; moved: MovedRows }>(
    KINDS.map((kind) => [kind, { ranges: new Intervals(), loaded: 0, already: 0, moved: new MovedRows() }]),
  );
  for await (const { event, line } of events()) {
    const isCounted = event.event === 'ack' || (event.event === 'missed' && !event.isAgain);
    if (!isCounted || line < state.of(event.kind).from) continue;
    const total = totals.get(event.kind);
    if (!total) continue;
    if (event.event === 'ack') total.moved.add(event.moved);
    const [change, sign] = event.event === 'ack' ? (['add', 1] as const) : (['remove', -1] as const);
    for (const [start, end] of event.ranges) {
      total.ranges[change](start, end);
      if (event.event === 'missed') total.moved.remove(start, end);
    }
    total.loaded += sign * event.loaded;
    total.already += sign * event.already;
  }
  for (const [kind, { ranges, moved, ...sums }] of totals) {
    const all = [...ranges];
    const merged = { event: 'ack', kind, at: 0, ranges: [], loaded: 0, already: 0 } as const;
    for (let from = 0; from < all.length; from += RANGES_PER_EVENT) {
      const counts = from === 0 ? sums : {};
      yield { ...merged, ...counts, ranges: all.slice(from, from + RANGES_PER_EVENT) };
    }
    for (const part of moved.recorded(RANGES_PER_EVENT)) yield { ...merged, moved: part };
    for (const [account, seen] of state.of(kind).seen) {
      for (const part of seen) yield { ...merged, account, seen: part };
    }
  }
}
