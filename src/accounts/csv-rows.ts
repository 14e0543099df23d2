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

type Readable = Extract<FileLine, { text: string }>;

/**
 * Put the lines of a CSV file together to rows: cells separated by commas, a cell in double quotes may hold commas,
 * doubled quotes and line ends (RFC 4180). Blank lines are passed over.
 *
 * It exists because one bad row must cost that row only. Where a quote is opened and never closed a parser of streams
 * swallows the rest of the file; this one gives up the row and goes on with the next line.
 */
export class CsvRows {
  /** Lines of the row that is open, the first one first. */
  private open: Readable[] = [];
  private openBytes = 0;
  private row = new RowInProgress();

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
    const state = this.row.feed(line.text.endsWith('\r') ? line.text.slice(0, -1) : line.text);
    if (state === 'stray quote') this.giveUp(rows, STRAY_QUOTE);
    else if (state === 'complete') {
      rows.push({ line: this.open[0]?.line ?? line.line, cells: this.row.cells });
      this.begin();
    } else if (this.openBytes > LINE_BYTES_MAX) this.giveUp(rows, NOT_CLOSED);
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
    this.row = new RowInProgress();
  }
}

class RowInProgress {
  readonly cells: string[] = [];
  /** Content of the quoted cell that goes on, in pieces. */
  private quoted: string[] | undefined;

  /** @param text one line without its end */
  feed(text: string): 'complete' | 'open' | 'stray quote' {
    if (!this.quoted && !text.includes('"')) {
      this.cells.push(...text.split(','));
      return 'complete';
    }
    for (let at = 0; ;) {
      if (this.quoted ?? text[at] === '"') {
        at = this.readQuoted(text, at);
        if (at === -1) return 'open';
      } else {
        const end = endOfCell(text, at);
        const cell = text.slice(at, end);
        if (cell.includes('"')) return 'stray quote';
        this.cells.push(cell);
        at = end;
      }
      if (at === text.length) return 'complete';
      if (text[at] !== ',') return 'stray quote';
      at += 1;
    }
  }

  /** @returns where the cell ends, or -1 when it goes on in the next line */
  private readQuoted(text: string, start: number): number {
    const pieces = this.quoted ?? [];
    let at = this.quoted ? start : start + 1;
    if (this.quoted) pieces.push('\n');
    for (;;) {
      const quote = text.indexOf('"', at);
      pieces.push(text.slice(at, quote === -1 ? undefined : quote));
      if (quote === -1) {
        this.quoted = pieces;
        return -1;
      }
      if (text[quote + 1] !== '"') {
        this.quoted = undefined;
        this.cells.push(pieces.join(''));
        return quote + 1;
      }
      pieces.push('"');
      at = quote + 2;
    }
  }
}

function endOfCell(text: string, start: number): number {
  const comma = text.indexOf(',', start);
  return comma === -1 ? text.length : comma;
}
