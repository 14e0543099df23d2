import { openSource } from '../rows/byte-source.js';
import { CsvFinder } from '../rows/csv-finder.js';
import { delimiterOf } from '../rows/folder.js';

/** A line of CSV (RFC 4180) with its line feed. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => csvCell(String(cell))).join(',')}\n`;
}

function csvCell(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Where a spreadsheet may begin a cell with a formula: at the start of the text, and, since many separate at semicolons or tabs and
 * then do not see that the text is quoted, after each of them and each line end. Quotes in front may be those of such a cell.
 */
const FORMULAS = /(?<=^|[;\t\r\n])(?="*[=+\-@])/g;

/**
 * A text for a file that is read by people only: what a spreadsheet would carry out gets an apostrophe in front. Not for files that
 * the loader reads again.
 */
export function withoutFormulas(text: string): string {
  return text.replaceAll(FORMULAS, "'");
}

/** Longest header that is looked for. */
const HEADER_BYTES_MAX = 1_048_576;

/** The header of a CSV file as it stands in it, without its line end. @throws UnreadableInput */
export async function readCsvHeader(path: string): Promise<string> {
  const source = await openSource(path);
  try {
    const bytes = Buffer.alloc(HEADER_BYTES_MAX);
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count) {
      count = await source.read(bytes, length);
    }
    const finder = new CsvFinder(delimiterOf(path));
    let from = bytes.indexOf('\uFEFF') === 0 ? 3 : 0;
    for (;;) {
      const next = finder.find(bytes, from, length, true);
      if (!finder.isBlank || next >= length) return bytes.toString('utf8', from, finder.to);
      from = next;
    }
  } finally {
    await source.close();
  }
}
