import { CsvError, parse } from 'csv-parse/sync';
import { LINE_BYTES_MAX, type FileLine } from './file-lines.js';
import type { LineProblem } from './staged-record.js';

/** One row of a CSV file, with the number of the line it begins on; or why it could not be read. */
export type CsvRow =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly problem: LineProblem };

const NOT_CLOSED: LineProblem = {
  code: 'parse_error',
  detail: `A quote is opened here and not closed within ${LINE_BYTES_MAX} bytes of the row.`,
};
const STRAY_QUOTE: LineProblem = {
  code: 'parse_error',
  detail: 'A quote stands in the middle of a cell; put the whole cell in quotes and double the quote.',
};
const LONE_CARRIAGE_RETURN: LineProblem = {
  code: 'parse_error',
  detail: 'A carriage return stands outside quotes; a line ends with a line feed, or with both.',
};

type Readable = Extract<FileLine, { text: string }>;

/**
 * Put the lines of a CSV file together to rows: cells separated by commas, a cell in double quotes may hold commas,
 * doubled quotes and line ends (RFC 4180). Blank lines are passed over.
 *
 * A row is whole when its quotes are even in number; csv-parse then reads it. Rows are cut here because one bad row must
 * cost that row only: where a quote is opened and never closed a parser of streams swallows the rest of the file, and
 * this one gives up the row and goes on with the next line.
 */
export class CsvRows {
  /** Lines of the row that is open, the first one first. */
  private open: Readable[] = [];
  private openBytes = 0;
  private quotes = 0;

  /** @returns the rows that these lines completed */
  read(lines: readonly FileLine[]): CsvRow[] {
    const rows: CsvRow[] = [];
    for (const line of lines) this.take(line, rows);
    return rows;
  }

  /** @returns what the end of the file leaves */
  end(): CsvRow[] {
    const rows: CsvRow[] = [];
    while (this.open.length > 0) this.giveUp(rows, NOT_CLOSED);
    return rows;
  }

  private take(line: FileLine, rows: CsvRow[]): void {
    if ('problem' in line) {
      // A row that reaches into a line that cannot be read cannot be read either.
      while (this.open.length > 0) this.giveUp(rows, NOT_CLOSED);
      rows.push(line);
      return;
    }
    if (this.open.length === 0 && line.text.trim() === '') return;
    this.open.push(line);
    this.openBytes += Buffer.byteLength(line.text) + 1;
    this.quotes += quotesIn(line.text);
    if (this.quotes % 2 === 1) {
      if (this.openBytes > LINE_BYTES_MAX) this.giveUp(rows, NOT_CLOSED);
      return;
    }
    const cells = cellsOf(
      this.open
        .map(({ text }) => text)
        .join('\n')
        .replace(/\r$/, ''),
    );
    if ('code' in cells) {
      this.giveUp(rows, cells);
      return;
    }
    rows.push({ line: this.open[0]?.line ?? line.line, cells });
    this.begin();
  }

  /** The first line of the open row is bad; the lines after it are looked at anew. */
  private giveUp(rows: CsvRow[], problem: LineProblem): void {
    const [first, ...rest] = this.open;
    this.begin();
    if (first) rows.push({ line: first.line, problem });
    for (const line of rest) this.take(line, rows);
  }

  private begin(): void {
    this.open = [];
    this.openBytes = 0;
    this.quotes = 0;
  }
}

/** @returns the cells of a whole row, or why it has none */
function cellsOf(row: string): string[] | LineProblem {
  if (!row.includes('"')) return row.includes('\r') ? LONE_CARRIAGE_RETURN : row.split(',');
  try {
    const [cells = [], ...others] = parse(row, { record_delimiter: RECORD_ENDS, relax_column_count: true });
    return others.length === 0 ? cells : LONE_CARRIAGE_RETURN;
  } catch (error) {
    if (error instanceof CsvError) return STRAY_QUOTE;
    throw error;
  }
}

/** Named, because csv-parse would guess; in a row that is whole only the last of them can be met outside quotes. */
const RECORD_ENDS = ['\r\n', '\n', '\r'];

function quotesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) count += 1;
  return count;
}
