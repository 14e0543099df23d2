/** The value of a cell. */
export type Cell = string | number | boolean | Date | null | undefined;

/**
 * Where a spreadsheet may start a formula: at the start of the text, and after each semicolon, tab or line end, because
 * many spreadsheets split at semicolons or tabs and then do not see that the text is quoted. Leading quotes may belong to
 * such a cell. Some spreadsheets drop leading blanks, and leading tabs at the start of the text.
 */
const FORMULAS = /^(?=[" \t]*[=+\-@])|(?<=[;\t\r\n])(?=[" ]*[=+\-@])/g;
const QUOTED = /[",\r\n]/;

/**
 * One record of a CSV file, with its line end (RFC 4180). An apostrophe precedes anything that a spreadsheet would execute.
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
