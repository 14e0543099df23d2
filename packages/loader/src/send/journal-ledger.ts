import type { Acknowledged, RefusedField } from '../journal/events.js';
import type { Journal } from '../journal/journal.js';
import { failedEvent } from '../journal/failed-event.js';
import { sumOfMoves } from '../journal/moves.js';
import type { Kind } from '../kinds/kinds.js';
import type { ReadRow, Row } from '../rows/row.js';
import type { Clock } from '../common/clock.js';
import type { AccountMark, ArrivedRow, Ledger } from './ledger.js';

/** Writes what became of the rows of a folder's files into its journal. */
export class JournalLedger implements Ledger {
  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
  ) {}

  arrived(kind: Kind, rows: readonly ArrivedRow[], mark: AccountMark | undefined): void {
    const loaded = rows.reduce((count, { isNew }) => count + Number(isNew), 0);
    const moved = sumOfMoves(rows.map(({ move }) => move));
    const event: Acknowledged = {
      event: 'ack',
      kind,
      at: this.clock.now(),
      ranges: rangesOf(rows),
      loaded,
      already: rows.length - loaded,
      ...(moved && { moved }),
    };
    if (mark === undefined) this.journal.append(event);
    else if (mark.seen === undefined) this.journal.append({ ...event, account: mark.account });
    else this.journal.append({ ...event, account: mark.account, seen: mark.seen });
  }

  failed(kind: Kind, row: ReadRow, errors: readonly RefusedField[]): void {
    this.journal.append(failedEvent(kind, row, row, this.clock.now(), errors));
  }

  repeated(kind: Kind, { start, origin }: Row): void {
    this.journal.append({ event: 'repeated', kind, start, origin });
  }

  seen(kind: Kind, account: string): readonly string[] | undefined {
    return this.journal.state.of(kind).seen.get(account);
  }
}

/** Positions of rows that come in their order, those that adjoin as one range. */
function rangesOf(rows: readonly ArrivedRow[]): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  for (const { row } of rows) {
    const last = ranges.at(-1);
    if (last?.[1] === row.start) last[1] = row.end;
    else ranges.push([row.start, row.end]);
  }
  return ranges;
}
