import type { ReadRow, Row } from '@data-import/files';
import type { Acknowledged, RefusedField } from '../journal/events.js';
import type { Journal } from '../journal/journal.js';
import { arrivedEvent, failedEvent } from '../journal/row-events.js';
import { recordedMoves } from '../journal/moves.js';
import type { Kind } from '../kinds/kinds.js';
import type { Clock } from '../common/clock.js';
import type { Intervals } from '../rows/intervals.js';
import type { AccountMark, ArrivedRow, CheckLedger, Ledger } from './ledger.js';

/** The time of an event that is not a new attempt: rates and runs count a row's failure only once. */
export const COUNTED = 0;

/** Records the outcome of a folder's rows in its journal. */
export class JournalLedger implements Ledger, CheckLedger {
  private readonly accounts = new Set<string | undefined>();
  private rows = 0;

  /** @param failedBefore for each kind, the positions of failed rows that are sent again; a row is removed once it is settled */
  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
    private readonly failedBefore: ReadonlyMap<Kind, Intervals> = new Map(),
  ) {}

  arrived(kind: Kind, all: readonly ArrivedRow[], mark: AccountMark | undefined): void {
    const rows: ArrivedRow[] = [];
    for (const arrived of all) {
      if (!this.hadFailed(kind, arrived.row)) rows.push(arrived);
      else this.journal.append(arrivedEvent(kind, arrived.row, this.clock.now(), arrived));
    }
    if (rows.length === 0 && mark === undefined) return;
    const loaded = rows.reduce((count, { isNew }) => count + Number(isNew), 0);
    const moved = recordedMoves(rows.map(({ row: { start, end }, move }) => ({ start, end, move })));
    const event: Acknowledged = {
      event: 'ack',
      kind,
      at: this.clock.now(),
      ranges: rangesOf(rows.map(({ row }) => row)),
      loaded,
      already: rows.length - loaded,
      ...(moved && { moved }),
      ...(mark && { account: mark.account }),
      ...(mark?.seen !== undefined && { seen: mark.seen }),
    };
    this.journal.append(event);
  }

  failed(kind: Kind, row: ReadRow, errors: readonly RefusedField[]): void {
    const again = this.hadFailed(kind, row) ? { isAgain: true as const } : {};
    this.journal.append({ ...failedEvent(kind, row, row, this.clock.now(), errors), ...again });
  }

  /** A row that had failed may have been corrected in the files with failures, so it is not sent again from here. */
  maySendAgain(kind: Kind, { start }: Row): boolean {
    return !this.journal.state.of(kind).arrived.has(start);
  }

  missed(kind: Kind, rows: readonly Row[]): void {
    const { loaded } = this.journal.state.of(kind);
    const count = Math.min(loaded, rows.length);
    const ranges = rows.map(({ start, end }) => [start, end] as const);
    this.journal.append({ event: 'missed', kind, ranges, loaded: count, already: rows.length - count });
  }

  refuted(kind: Kind, row: Row, errors: readonly RefusedField[]): void {
    const event = failedEvent(kind, row, row, this.clock.now(), errors);
    this.journal.append({ ...event, was: acknowledgedAs(this.journal, kind) });
  }

  explained(kind: Kind, row: Row, errors: readonly RefusedField[]): void {
    this.journal.append({ ...failedEvent(kind, row, row, COUNTED, errors), isAgain: true });
  }

  seen(kind: Kind, account: string): readonly string[] | undefined {
    return this.journal.state.of(kind).seen.get(account);
  }

  /** The number of rows that had failed before and were sent again, and the number of their accounts. */
  get takenUp(): { rows: number; accounts: number } {
    return { rows: this.rows, accounts: this.accounts.size };
  }

  /** Whether a row that is being settled had failed before; it then counts as sent again. */
  private hadFailed(kind: Kind, { start, end, account }: ReadRow): boolean {
    const rows = this.failedBefore.get(kind);
    if (!rows?.has(start)) return false;
    rows.remove(start, end);
    this.rows += 1;
    this.accounts.add(account);
    return true;
  }
}

/** The count to which a missing row most likely belonged: the service already had another row with its key. */
export function acknowledgedAs({ state }: Journal, kind: Kind): 'loaded' | 'already' {
  return state.of(kind).already > 0 ? 'already' : 'loaded';
}

/** The positions of rows, which come in order, with adjoining rows merged into one range. */
function rangesOf(rows: readonly Row[]): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  for (const row of rows) {
    const last = ranges.at(-1);
    if (last?.[1] === row.start) last[1] = row.end;
    else ranges.push([row.start, row.end]);
  }
  return ranges;
}
