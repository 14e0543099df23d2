import { copyField } from '../../database/copy.js';
import type { StagedRecord } from './staged-record.js';

/** Rows of one batch: enough that the round trips do not matter, few enough that a batch is written quickly. */
const ROWS_MAX = 20_000;
/** Approximate size of one batch in characters: limits the memory when records are large. */
const SIZE_MAX = 8_388_608;

/**
 * Records that are staged together. One query cannot write a row twice, so only the last record of a repeated number is
 * kept, and the number of repetitions is passed to the database, which counts each line.
 */
export class StagingBatch {
  private readonly records = new Map<string, StagedRecord>();
  /** How often each repeated number was repeated. */
  private readonly repeats = new Map<string, number>();
  private size = 0;
  private count = 0;

  /** How many records were added. */
  get length(): number {
    return this.count;
  }

  /** How many different accounts they belong to. */
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
   * The rows in COPY's text format, in the order of their numbers: number, from, to, account, and one more column.
   *
   * @param lastColumn computes that column from the number of repetitions
   */
  *copyLines(lastColumn: (repeats: number) => number): Generator<string> {
    const inOrder = [...this.records.values()].sort((one, other) =>
      one.externalAccountNumber < other.externalAccountNumber ? -1 : 1,
    );
    let chunk = '';
    for (const { externalAccountNumber, openStatementFrom, openStatementTo, account } of inOrder) {
      const repeats = this.repeats.get(externalAccountNumber) ?? 0;
      chunk += `${copyField(externalAccountNumber)}\t${copyField(openStatementFrom)}\t${copyField(openStatementTo)}\t`;
      chunk += `${copyField(account)}\t${lastColumn(repeats)}\n`;
      if (chunk.length < CHUNK_LENGTH) continue;
      yield chunk;
      chunk = '';
    }
    if (chunk !== '') yield chunk;
  }
}

/** Characters that are written to the connection at a time. */
const CHUNK_LENGTH = 262_144;
