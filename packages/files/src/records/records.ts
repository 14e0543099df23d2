import type { RowError } from '../fields/fields.js';
import type { Problem } from '../values/field-value.js';

/** The maximum length of a record in bytes: the most that a request can hold. */
export const RECORD_BYTES_MAX = 8_388_608;

export const TOO_LONG: RowError = {
  code: 'max_length',
  attr: '',
  detail: `The row is longer than ${RECORD_BYTES_MAX} bytes; only its beginning is kept.`,
};

export const NOT_UTF8: RowError = {
  code: 'parse_error',
  attr: '',
  detail:
    'The row is no text in UTF-8, or in the encoding that the mapping file names. Packed and binary numbers (COMP-3, COMP) must be written as digits.',
};

/** Finds where records end. The fields describe the last found record. */
export interface RecordFinder {
  /**
   * Find the record that begins at `from`.
   *
   * @param isLast whether no bytes follow
   * @returns the index after the record and its line end; -1 if the bytes may not contain all of it
   */
  find(bytes: Buffer, from: number, length: number, isLast: boolean): number;
  /** The index after the record, without its line end. */
  readonly to: number;
  readonly isBlank: boolean;
  /** The number of line feeds in the record and its end. */
  readonly lineFeeds: number;
  readonly problem: RowError | undefined;
  /** Forget earlier records, so that the next one does not depend on them. */
  forget?(): void;
}

/** Finds records and their cells. */
export interface CellFinder extends RecordFinder {
  /** Number of cells of the record. */
  readonly count: number;
  /** The text of a cell. */
  cell(bytes: Buffer, index: number): string;
  /** The name that messages use for a cell, if it is not the number of the cell. */
  place?(index: number): string;
  /** The reason why a record is not a row, although it has as many cells as the header. */
  check?(): RowError | undefined;
  /** A more helpful problem for texts that are not numbers. */
  advice?(texts: readonly string[]): Problem | undefined;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Each line is a record. */
export class LineFinder implements RecordFinder {
  to = 0;
  isBlank = false;
  lineFeeds = 1;
  readonly problem = undefined;

  find(bytes: Buffer, from: number, length: number, isLast: boolean): number {
    const found = bytes.indexOf(LINE_FEED, from);
    const isEnded = found !== -1 && found < length;
    if (!isEnded && !isLast) return -1;
    this.to = lineEnd(bytes, from, isEnded ? found : length);
    this.lineFeeds = isEnded ? 1 : 0;
    this.isBlank = isSpace(bytes, from, this.to);
    return isEnded ? found + 1 : length;
  }
}

/** The end of a line without its carriage return. */
export function lineEnd(bytes: Buffer, from: number, to: number): number {
  return to > from && bytes[to - 1] === CARRIAGE_RETURN ? to - 1 : to;
}

/** Whether a range contains only spaces, tabs and carriage returns. */
export function isSpace(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== CARRIAGE_RETURN) return false;
  }
  return true;
}
