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
