import { CsvError, parse } from 'csv-parse/sync';
import { LINE_BYTES_MAX, type FileLine } from './file-lines.js';
import type { LineProblem } from './line-reading.js';

/** One row of a CSV file, with the number of its first line; or why the row could not be read. */
export type CsvRow =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly problem: LineProblem };

const NOT_CLOSED: LineProblem = {
  code: 'parse_error',
  detail: `A quote is opened here and not closed within ${LINE_BYTES_MAX} bytes of the row.`,
};
const STRAY_QUOTE: LineProblem = {
  code: 'parse_error',
  detail: 'There is a quote in the middle of a cell; put the whole cell in quotes and double the quote.',
};
const LONE_CARRIAGE_RETURN: LineProblem = {
  code: 'parse_error',
  detail: 'There is a carriage return outside quotes; a line ends with a line feed, or with both.',
};

type Readable = Extract<FileLine, { text: string }>;

/**
 * Joins the lines of a CSV file into rows. Commas separate cells; a cell in double quotes may contain commas, doubled quotes and
 * line ends (RFC 4180). Blank lines are skipped.
 *
 * A row is complete when it has an even number of quotes; csv-parse then parses it. This class splits the rows instead of
 * csv-parse's stream, because one bad row must not cost any other row: with `skip_records_with_error` the stream loses every line
 * from a quote that is never closed to the next quote and reports one error for all of them (csv-rows.spec.ts). This class
 * rejects the bad row and starts a new one on the next line.
 */
export class CsvRows {
  /** Lines of the incomplete row, in order. */
  private openLines: Readable[] = [];
  private openBytes = 0;
  private quotes = 0;

  /** @returns the rows that these lines complete */
  read(lines: readonly FileLine[]): CsvRow[] {
    const rows: CsvRow[] = [];
    for (const line of lines) this.add(line, rows);
    return rows;
  }

  /** @returns the problems of the rows that are still incomplete at the end of the file */
  end(): CsvRow[] {
    const rows: CsvRow[] = [];
    while (this.openLines.length > 0) this.rejectFirstLine(rows, NOT_CLOSED);
    return rows;
  }

  private add(line: FileLine, rows: CsvRow[]): void {
    if ('problem' in line) {
      // A row that continues on an unreadable line cannot be read either.
      while (this.openLines.length > 0) this.rejectFirstLine(rows, NOT_CLOSED);
      rows.push(line);
      return;
    }
    if (this.openLines.length === 0 && line.text.trim() === '') return;
    this.openLines.push(line);
    this.openBytes += Buffer.byteLength(line.text) + 1;
    this.quotes += quotesIn(line.text);
    if (this.quotes % 2 === 1) {
      if (this.openBytes > LINE_BYTES_MAX) this.rejectFirstLine(rows, NOT_CLOSED);
      return;
    }
    const cells = cellsOf(
      this.openLines
        .map(({ text }) => text)
        .join('\n')
        .replace(/\r$/, ''),
    );
    if ('code' in cells) {
      this.rejectFirstLine(rows, cells);
      return;
    }
    rows.push({ line: this.openLines[0]?.line ?? line.line, cells });
    this.reset();
  }

  /** Reject the first line of the incomplete row and read the lines after it again. */
  private rejectFirstLine(rows: CsvRow[], problem: LineProblem): void {
    const [first, ...rest] = this.openLines;
    this.reset();
    if (first) rows.push({ line: first.line, problem });
    for (const line of rest) this.add(line, rows);
  }

  private reset(): void {
    this.openLines = [];
    this.openBytes = 0;
    this.quotes = 0;
  }
}

/** @returns the cells of a complete row, or why it cannot be read */
function cellsOf(row: string): string[] | LineProblem {
  if (!row.includes('"')) return row.includes('\r') ? LONE_CARRIAGE_RETURN : row.split(',');
  // A file that was appended to another one has its byte order mark before the first quote.
  const mark = row.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  try {
    const [[first = '', ...rest] = [], ...others] = parse(row.slice(mark.length), OPTIONS);
    return others.length === 0 ? [mark + first, ...rest] : LONE_CARRIAGE_RETURN;
  } catch (error) {
    if (error instanceof CsvError) return STRAY_QUOTE;
    throw error;
  }
}

const BYTE_ORDER_MARK = '\uFEFF';

const OPTIONS = {
  // Set explicitly, because csv-parse would guess. In a complete row, only a lone carriage return can occur outside quotes.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
};

function quotesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) count += 1;
  return count;
}
