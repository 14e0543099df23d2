import { isSpace, lineEnd, type RecordFinder } from './records.js';
import type { RowError } from '../fields/fields.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

function problem(detail: string): RowError {
  return { code: 'parse_error', attr: '', detail };
}

const NOT_CLOSED = problem('A quote is opened in this line and not closed in it or the lines after it.');
const STRAY_QUOTE = problem(
  'There is a quote in the middle of a cell; put the whole cell in quotes and double the quote.',
);
const LONE_CARRIAGE_RETURN = problem(
  'There is a carriage return outside quotes; a line ends with a line feed, or with both.',
);

/** A table of the bytes that end an unquoted cell. */
function endsOfCell(signs: readonly number[]): Uint8Array {
  const ends = new Uint8Array(256);
  for (const byte of [...signs, LINE_FEED, CARRIAGE_RETURN]) ends[byte] = 1;
  return ends;
}

/** The numbers kept for each cell: its beginning, its end, and whether it has doubled quotes. */
const NUMBERS = 3;

/** A value that no byte can have. */
const NO_QUOTE = 256;

/**
 * Finds the records of CSV and their cells. Cells are separated by commas; a cell in double quotes may contain commas, doubled quotes
 * and line feeds (RFC 4180). A mapping may name other signs.
 *
 * It replaces csv-parse, with which a property test compares it. csv-parse cannot read a record at a known position without starting
 * from the beginning, and after an unclosed quote it loses all lines up to the next quote. Here an invalid record consists of its
 * first line, and the next line begins another record.
 */
export class CsvFinder implements RecordFinder {
  to = 0;
  isBlank = false;
  lineFeeds = 0;
  problem: RowError | undefined;
  /** Number of cells of the record. */
  count = 0;
  private spans = new Int32Array(64 * NUMBERS);
  private readonly delimiter: number;
  private readonly quote: number;
  private readonly endsCell: Uint8Array;
  private readonly sign: string;

  /**
   * @param delimiter an ASCII sign
   * @param sign the quote, an ASCII sign; empty when no cell is quoted
   * @param isTrimmed whether spaces around cells are removed
   */
  constructor(
    delimiter = ',',
    sign = '"',
    private readonly isTrimmed = false,
  ) {
    this.delimiter = delimiter.charCodeAt(0);
    this.sign = sign;
    this.quote = sign === '' ? NO_QUOTE : sign.charCodeAt(0);
    this.endsCell = endsOfCell([this.delimiter, this.quote]);
  }

  find(bytes: Buffer, from: number, length: number, isLast: boolean): number {
    this.count = 0;
    this.lineFeeds = 0;
    this.problem = undefined;
    this.isBlank = false;
    const { delimiter, quote } = this;
    // If a file was appended to another one, its byte order mark may precede the first quote.
    const isMarked = bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf;
    let at = isMarked && bytes[from + 3] === quote ? from + 3 : from;
    for (;;) {
      const end =
        at < length && bytes[at] === quote
          ? this.quotedCell(bytes, at, length, isLast)
          : this.plainCell(bytes, at, length);
      if (end === -1 || (end >= length && !isLast)) return this.giveUp(bytes, from, length, isLast);
      const byte = end < length ? bytes[end] : LINE_FEED;
      if (byte === delimiter) {
        at = end + 1;
      } else if (byte === LINE_FEED) {
        return this.endAt(bytes, from, end, Math.min(end + 1, length));
      } else if (byte !== CARRIAGE_RETURN) {
        this.problem = STRAY_QUOTE;
        return this.refuse(bytes, from, length, isLast);
      } else if (end + 1 >= length) {
        return isLast ? this.endAt(bytes, from, end, length) : -1;
      } else if (bytes[end + 1] === LINE_FEED) {
        return this.endAt(bytes, from, end, end + 2);
      } else {
        this.problem = LONE_CARRIAGE_RETURN;
        return this.refuse(bytes, from, length, isLast);
      }
    }
  }

  /** The text of a cell of the last found record. */
  cell(bytes: Buffer, index: number): string {
    const at = index * NUMBERS;
    const written = bytes.toString('utf8', this.spans[at], this.spans[at + 1]);
    const text = this.isTrimmed ? written.trim() : written;
    return this.spans[at + 2] === 1 ? text.replaceAll(this.sign + this.sign, this.sign) : text;
  }

  /** The index at which a cell begins, without its quote. */
  cellFrom(index: number): number {
    return this.spans[index * NUMBERS] ?? 0;
  }

  cellTo(index: number): number {
    return this.spans[index * NUMBERS + 1] ?? 0;
  }

  private add(from: number, to: number, hasDoubledQuote: boolean): void {
    const at = this.count * NUMBERS;
    if (at === this.spans.length) {
      const larger = new Int32Array(this.spans.length * 2);
      larger.set(this.spans);
      this.spans = larger;
    }
    this.spans[at] = from;
    this.spans[at + 1] = to;
    this.spans[at + 2] = hasDoubledQuote ? 1 : 0;
    this.count += 1;
  }

  private plainCell(bytes: Buffer, from: number, length: number): number {
    const { endsCell } = this;
    let at = from;
    while (at < length && endsCell[bytes[at] ?? 0] === 0) at += 1;
    this.add(from, at, false);
    return at;
  }

  /** @returns the index after the closing quote; -1 when there is none yet or the next byte must decide */
  private quotedCell(bytes: Buffer, from: number, length: number, isLast: boolean): number {
    const { quote } = this;
    let at = from + 1;
    let hasDoubledQuote = false;
    for (;;) {
      while (at < length && bytes[at] !== quote) {
        if (bytes[at] === LINE_FEED) this.lineFeeds += 1;
        at += 1;
      }
      if (at >= length || (at + 1 >= length && !isLast)) return -1;
      if (at + 1 >= length || bytes[at + 1] !== quote) break;
      hasDoubledQuote = true;
      at += 2;
    }
    this.add(from + 1, at, hasDoubledQuote);
    return at + 1;
  }

  private endAt(bytes: Buffer, from: number, to: number, next: number): number {
    this.to = to;
    if (next > to) this.lineFeeds += 1;
    this.isBlank = this.count === 1 && isSpace(bytes, from, to);
    return next;
  }

  private giveUp(bytes: Buffer, from: number, length: number, isLast: boolean): number {
    if (!isLast) return -1;
    this.problem = NOT_CLOSED;
    return this.refuse(bytes, from, length, isLast);
  }

  /** The record is invalid and ends with its first line. */
  private refuse(bytes: Buffer, from: number, length: number, isLast: boolean): number {
    const found = bytes.indexOf(LINE_FEED, from);
    const isEnded = found !== -1 && found < length;
    if (!isEnded && !isLast) return -1;
    this.to = lineEnd(bytes, from, isEnded ? found : length);
    this.lineFeeds = isEnded ? 1 : 0;
    return isEnded ? found + 1 : length;
  }
}
