import type { ReadRow } from '@data-import/files';
import type { RefusedField } from '../journal/events.js';
import { arrivedEvent, failedEvent } from '../journal/row-events.js';
import type { Journal } from '../journal/journal.js';
import { isSameRaw, rawText } from '../journal/raw-text.js';
import type { Kind } from '../kinds/kinds.js';
import type { Clock } from '../common/clock.js';
import { acknowledgedAs, COUNTED } from '../send/journal-ledger.js';
import { isConflict } from '../send/outcome.js';
import type { AccountMark, ArrivedRow, CheckLedger, Ledger } from '../send/ledger.js';
import { repeatedKey, type Correction, type FailedRow } from './corrections.js';

/** Records the outcome of rows that had failed, under their places in the files of the folder. */
export class RetryLedger implements Ledger, CheckLedger {
  private readonly all: ReadonlyMap<ReadRow, FailedRow>;
  private readonly open: Set<ReadRow>;
  private readonly outcomes = new Map<ReadRow, 'arrived' | 'conflict'>();

  constructor(
    corrections: readonly Correction[],
    private readonly journal: Journal,
    private readonly clock: Clock,
  ) {
    this.all = new Map(corrections.map(({ row, of }) => [row, of]));
    this.open = new Set(this.all.keys());
  }

  /** Whether the outcome of a row is not decided yet. */
  isOpen(row: ReadRow): boolean {
    return this.open.has(row);
  }

  /** The outcome of a row, if the check at the end must look for it. */
  outcomeOf(row: ReadRow): 'arrived' | 'conflict' | undefined {
    return this.outcomes.get(row);
  }

  arrived(kind: Kind, rows: readonly ArrivedRow[], _mark: AccountMark | undefined): void {
    for (const arrived of rows) {
      const { row } = arrived;
      const first = this.settle(row);
      const raw = rawText(row.raw);
      // A row that had failed for a repeated key is recorded with its text even if the text is unchanged, because it is
      // not the row that its files contain.
      const isSame = isSameRaw(raw, first.raw) && repeatedKey(first) === undefined;
      this.outcomes.set(row, 'arrived');
      const event = arrivedEvent(kind, first, this.clock.now(), arrived);
      this.journal.append({ ...event, ...(!isSame && { raw }) });
    }
  }

  failed(kind: Kind, row: ReadRow, errors: readonly RefusedField[]): void {
    const first = this.settle(row);
    if (isConflict(kind, errors)) this.outcomes.set(row, 'conflict');
    const event = failedEvent(kind, row, first, this.clock.now(), errors);
    const corrected = isSameRaw(event.raw, first.raw) ? {} : { isCorrected: true as const };
    this.journal.append({ ...event, isAgain: true, ...corrected });
  }

  maySendAgain(): boolean {
    return true;
  }

  missed(kind: Kind, rows: readonly ReadRow[]): void {
    for (const row of rows) {
      const { start, end } = this.of(row);
      const counts = { loaded: 0, already: 0, [acknowledgedAs(this.journal, kind)]: 1 };
      this.journal.append({ event: 'missed', kind, ranges: [[start, end]], ...counts, isAgain: true });
      this.open.add(row);
      this.outcomes.delete(row);
    }
  }

  refuted(kind: Kind, row: ReadRow, errors: readonly RefusedField[]): void {
    const event = failedEvent(kind, row, this.of(row), this.clock.now(), errors);
    this.outcomes.delete(row);
    this.journal.append({ ...event, was: acknowledgedAs(this.journal, kind) });
  }

  explained(kind: Kind, row: ReadRow, errors: readonly RefusedField[]): void {
    this.journal.append({ ...failedEvent(kind, row, this.of(row), COUNTED, errors), isAgain: true });
  }

  seen(): undefined {
    return undefined;
  }

  /** The first failure of a row, which has its place in the files of the folder. */
  private of(row: ReadRow): FailedRow['first'] {
    const of = this.all.get(row);
    if (!of) throw new Error(`Line ${row.origin.line} of ${row.origin.file} has not failed.`);
    return of.first;
  }

  private settle(row: ReadRow): FailedRow['first'] {
    if (!this.open.delete(row))
      throw new Error(`Line ${row.origin.line} of ${row.origin.file} was decided about twice.`);
    return this.of(row);
  }
}
