import { copyField } from '../database/copy.js';
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
  private readonly rows = new Map<string, { line: string; repeats: number }>();
  private size = 0;
  private count = 0;

  /** How many records were added. */
  get length(): number {
    return this.count;
  }

  get isFull(): boolean {
    return this.rows.size >= ROWS_MAX || this.size >= SIZE_MAX;
  }

  add({ externalAccountNumber, openStatementFrom, openStatementTo, source }: StagedRecord): void {
    const line = [externalAccountNumber, openStatementFrom, openStatementTo, source]
      .map(copyField)
      .join('\t');
    const repeats = (this.rows.get(externalAccountNumber)?.repeats ?? -1) + 1;
    this.rows.set(externalAccountNumber, { line, repeats });
    this.size += line.length;
    this.count += 1;
  }

  /** The rows in COPY's text format: number, from, to, source, repeats. */
  *copyLines(): Generator<string> {
    let piece = '';
    for (const { line, repeats } of this.rows.values()) {
      piece += `${line}\t${repeats}\n`;
      if (piece.length < PIECE_SIZE) continue;
      yield piece;
      piece = '';
    }
    if (piece !== '') yield piece;
  }
}

/** What is handed to the connection at a time. */
const PIECE_SIZE = 262_144;
