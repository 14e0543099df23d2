import { memberText } from '../../infrastructure/json/json-bytes.js';
import { identifier } from '../../infrastructure/validation/rules/text.js';
import type { PlainRule } from '../../infrastructure/validation/rules/rule.js';
import { Satisfies } from '../../infrastructure/validation/satisfies.decorator.js';
import { headerProblem } from '../files/header-problem.js';
import type { LineFormat } from '../files/line-reading.js';
import { readLine } from './account-line.js';
import { CONTROL_COLUMNS, controlColumnProblem, controlTextOf } from './control-text.js';

/** An object, or null for none. */
const objectOrNull: PlainRule = {
  violation: (value) =>
    typeof value === 'object' && !Array.isArray(value)
      ? undefined
      : { code: 'invalid', detail: 'Expected an object, or null.' },
  schema: { type: ['object', 'null'] },
};

/**
 * One line of a file of control totals (choice V6). It replaces all totals of the account: null or an object without any part
 * removes them.
 */
export class ControlLineDto {
  @Satisfies(identifier)
  external_account_number: string;

  @Satisfies(objectOrNull)
  control: object | null;
}

const FIELDS: readonly string[] = ['external_account_number', ...CONTROL_COLUMNS];

/**
 * The lines of a file of control totals.
 *
 * Source: choice V6.
 */
export const CONTROL_LINES: LineFormat = {
  readJson: (value, text) => readLine(ControlLineDto, value, text, () => memberText(text, 'control')),
  headerProblem: (columns) => headerProblem(columns, { known: FIELDS, columnProblem: controlColumnProblem }),
  readCells: (cells) => {
    const number = cells.get('external_account_number');
    const value = { ...(number !== undefined && { external_account_number: number }), control: {} };
    return readLine(ControlLineDto, value, JSON.stringify(number ?? ''), () => controlTextOf(cells));
  },
};
