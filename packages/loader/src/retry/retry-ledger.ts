import type { RefusedField } from '../journal/events.js';
import { failedEvent } from '../journal/failed-event.js';
import type { Journal } from '../journal/journal.js';
import { sumOfMoves } from '../journal/moves.js';
import { isSameRaw, rawText } from '../journal/raw-text.js';
import type { Kind } from '../kinds/kinds.js';
import type { ReadRow } from '../rows/row.js';
import type { Clock } from '../common/clock.js';
import type { AccountMark, ArrivedRow, Ledger } from '../send/ledger.js';
import type { Correction, FailedRow } from './corrections.js';

/** Writes what became of rows that had failed, under their places in the files of the folder. */
export class RetryLedger implements Ledger {
  private readonly open: Map<ReadRow, FailedRow>;

  constructor(
    corrections: readonly Correction[],
    private readonly journal: Journal,
    private readonly clock: Clock,
  ) {
    this.open = new Map(corrections.map(({ row, of }) => [row, of]));
  }

  /** Whether it is still to be decided what becomes of a row. */
  isOpen(row: ReadRow): boolean {
    return this.open.has(row);
  }

  arrived(kind: Kind, rows: readonly ArrivedRow[], _mark: AccountMark | undefined): void {
    for (const { row, isNew, move } of rows) {
      const { start, end, origin, raw: before } = this.settle(row).first;
      const raw = rawText(row.raw);
      const at = this.clock.now();
      const moved = sumOfMoves([move]);
      const more = { ...(!isSameRaw(raw, before) && { raw }), ...(moved && { moved }) };
      this.journal.append({ event: 'arrived', kind, at, start, end, origin, isNew, ...more });
    }
  }

  failed(kind: Kind, row: ReadRow, errors: readonly RefusedField[]): void {
    const { first } = this.settle(row);
    this.journal.append({ ...failedEvent(kind, row, first, this.clock.now(), errors), isAgain: true });
  }

  repeated(kind: Kind, row: ReadRow): void {
    const { start, origin } = this.open.get(row)?.first ?? row;
    this.journal.append({ event: 'repeated', kind, start, origin });
  }

  seen(): undefined {
    return undefined;
  }

  private settle(row: ReadRow): FailedRow {
    const of = this.open.get(row);
    if (!of) throw new Error(`Line ${row.origin.line} of ${row.origin.file} was decided about twice.`);
    this.open.delete(row);
    return of;
  }
}
