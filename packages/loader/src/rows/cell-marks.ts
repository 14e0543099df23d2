import type { Problem } from './field-value.js';

/** What is said of cells of a workbook that have no value that can be sent, by the mark with which their copies begin. */
const PROBLEMS: Readonly<Record<string, string>> = {
  'DIGITS!': 'is a whole number of more than 15 digits, of which a workbook keeps 15. Enter it as text.',
  'DAY!': 'is a day before 1 March 1900, which Excel and the calendar count differently.',
  'FORMULA!': 'is a formula without its last value. Open the workbook in a spreadsheet and save it.',
  'TEXT!': 'has characters that are no text.',
};

const MARK =
  /^#(N\/A|NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|GETTING_DATA|SPILL!|CALC!|CONNECT!|BLOCKED!|UNKNOWN!|FIELD!|BUSY!|ERROR!|DIGITS!|DAY!|FORMULA!|TEXT!)(?: |$)/;

/** @returns why the cell of a workbook has no value; undefined for all others */
export function problemOfCell(text: string): Problem | undefined {
  if (!text.startsWith('#')) return undefined;
  const mark = MARK.exec(text)?.[1];
  return mark === undefined ? undefined : { problem: PROBLEMS[mark] ?? 'is an error of a formula.' };
}
