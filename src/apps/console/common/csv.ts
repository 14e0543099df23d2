/** What a cell may hold. */
export type Cell = string | number | boolean | Date | null | undefined;

/**
 * Where a spreadsheet may begin a cell with a formula: at the start of the text, and, since many separate at semicolons or tabs and
 * then do not see that the text is quoted, after each of them and each line end. Quotes in front may be those of such a cell; blanks in
 * front, and tabs at the start of the text, are dropped by some.
 */
const FORMULAS = /^(?=[" \t]*[=+\-@])|(?<=[;\t\r\n])(?=[" ]*[=+\-@])/g;
const QUOTED = /[",\r\n]/;

/**
 * One record of a CSV file, with its line end (RFC 4180). What a spreadsheet would carry out gets an apostrophe in front.
 *
 * Source: choice C9.
 */
export function csvRecord(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell !== 'string') return String(cell);
  const harmless = cell.replaceAll(FORMULAS, "'");
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
