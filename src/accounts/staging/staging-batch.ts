import { copyField } from '../../database/copy.js';
import type { StagedRecord } from './staged-record.js';

/** Rows of one batch: many enough that the round trips do not count, few enough to be done in a moment. */
const ROWS_MAX = 20_000;
/** Size of one batch, about, in characters: bounds the memory when records are large. */
const SIZE_MAX = 8_388_608;

/**
 * Records that are staged together. One statement cannot write a row twice, so of a number that comes again the last
 * record stands, and how often it came again is told to the database, which counts each line.
 */
export class StagingBatch {
  private readonly records = new Map<string, StagedRecord>();
  /** How often a number came again, of those that did. */
  private readonly repeats = new Map<string, number>();
  private size = 0;
  private count = 0;

  /** How many records were added. */
  get length(): number {
    return this.count;
  }

  /** How many accounts they are of. */
  get accounts(): number {
    return this.records.size;
  }

  get isFull(): boolean {
    return this.records.size >= ROWS_MAX || this.size >= SIZE_MAX;
  }

  sharesNumberWith(other: StagingBatch): boolean {
    for (const number of this.records.keys()) if (other.records.has(number)) return true;
    return false;
  }

  add(record: StagedRecord): void {
    const { externalAccountNumber: number, account } = record;
    const before = this.records.size;
    this.records.set(number, record);
    if (this.records.size === before) this.repeats.set(number, (this.repeats.get(number) ?? 0) + 1);
    this.size += number.length + (account?.length ?? 0);
    this.count += 1;
  }

  /**
   * The rows in COPY's text format, in the order of their numbers: number, from, to, account, and one column more.
   *
   * @param further makes that column of how often the number came again
   */
  *copyLines(further: (repeats: number) => number): Generator<string> {
    const inOrder = [...this.records.values()].sort((one, other) =>
      one.externalAccountNumber < other.externalAccountNumber ? -1 : 1,
    );
    let piece = '';
    for (const { externalAccountNumber, openStatementFrom, openStatementTo, account } of inOrder) {
      const repeats = this.repeats.get(externalAccountNumber) ?? 0;
      piece += `${copyField(externalAccountNumber)}\t${copyField(openStatementFrom)}\t${copyField(openStatementTo)}\t`;
      piece += `${copyField(account)}\t${further(repeats)}\n`;
      if (piece.length < PIECE_SIZE) continue;
      yield piece;
      piece = '';
    }
    if (piece !== '') yield piece;
  }
}

/** What is handed to the connection at a time. */
const PIECE_SIZE = 262_144;
