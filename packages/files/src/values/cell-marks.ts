import type { FieldType } from '../fields/fields.js';
import type { FieldValue, Problem } from './field-value.js';

/** Messages about workbook cells without a value that can be sent, by the mark with which their copies begin. */
const PROBLEMS: Readonly<Record<string, string>> = {
  'DIGITS!': 'is a whole number of more than 15 digits, of which a workbook keeps 15. Enter it as text.',
  'DAY!': 'is a day before 1 March 1900, which Excel and the calendar count differently.',
  'FORMULA!': 'is a formula without its last value. Open the workbook in a spreadsheet and save it.',
  'TEXT!': 'has characters that are no text.',
};

const MARK =
  /^#(N\/A|NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|GETTING_DATA|SPILL!|CALC!|CONNECT!|BLOCKED!|UNKNOWN!|FIELD!|BUSY!|ERROR!|DIGITS!|DAY!|FORMULA!|TEXT!)(?: |$)/;

/** @returns why a workbook cell has no value; undefined for any other cell */
export function problemOfCell(text: string): Problem | undefined {
  if (!text.startsWith('#')) return undefined;
  const mark = MARK.exec(text)?.[1];
  return mark === undefined ? undefined : { problem: PROBLEMS[mark] ?? 'is an error of a formula.' };
}

/** A number of a workbook, or a text with a thousands separator. */
const TWO_NUMBERS = /^-?\d{1,3}\.\d{3}$/;

/**
 * The value of a workbook field, or why its cells have none. Either a cell has a mark, or an amount such as 1.234 was read as 1234,
 * as the mapping says for texts, although it may be a number.
 *
 * @param value the value read from the cells
 */
export function checkedCells(
  type: FieldType | undefined,
  texts: readonly string[],
  value: FieldValue,
): FieldValue {
  const marked = texts.map(problemOfCell).find((problem) => problem !== undefined);
  if (marked || type !== 'number' || typeof value !== 'string') return marked ?? value;
  const size = (text: string): number => Math.abs(Number(text));
  const isOther = texts.some((text) => TWO_NUMBERS.test(text) && size(text) !== size(value));
  if (!isOther) return value;
  return {
    problem: 'could be two numbers: one of the workbook, or a text in which a point separates thousands.',
  };
}
