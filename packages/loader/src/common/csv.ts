/**
 * The places at which a spreadsheet may see the beginning of a formula. These are the start of the text, and each
 * semicolon, tab and line end in it: many spreadsheets separate cells there and then do not notice that the text is
 * quoted. Quotes may precede the formula.
 */
const FORMULAS = /(?<=^|[;\t\r\n])(?="*[=+\-@])/g;

/**
 * Make a text safe for a file that only people read: a part that a spreadsheet would execute gets an apostrophe in
 * front. Do not use it for files that the loader reads again.
 */
export function withoutFormulas(text: string): string {
  return text.replaceAll(FORMULAS, "'");
}
