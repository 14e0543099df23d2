import { jsonbProblem, memberText } from '../common/json-bytes.js';
import { payloadErrors } from '../common/validation/payload-errors.js';
import { identifier } from '../common/validation/rules/text.js';
import type { PlainRule } from '../common/validation/rules/rule.js';
import { NO_RUNTIME_LIMITS } from '../common/validation/rules/runtime-limits.js';
import { Satisfies } from '../common/validation/satisfies.decorator.js';
import { headerProblem } from '../account-files/header-problem.js';
import { problemOf, type LineFormat, type Reading } from '../account-files/line-reading.js';
import { CONTROL_COLUMNS, controlColumnProblem, controlTextOf, readControl } from './control-text.js';

/** An object, or null for none. */
const objectOrNull: PlainRule = {
  violation: (value) =>
    typeof value === 'object' && !Array.isArray(value)
      ? undefined
      : { code: 'invalid', detail: 'Expected an object, or null.' },
  schema: { type: ['object', 'null'] },
};

/** One line of a file of control totals (choice V6). It gives all of them: null or an object without any part removes them. */
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
  readJson: (value, text) => check(value, text, () => memberText(text, 'control')),
  headerProblem: (columns) => headerProblem(columns, { known: FIELDS, columnProblem: controlColumnProblem }),
  readCells: (cells) => {
    const number = cells.get('external_account_number');
    const value = { ...(number !== undefined && { external_account_number: number }), control: {} };
    return check(value, JSON.stringify(number ?? ''), () => controlTextOf(cells));
  },
};

/** @param text JSON that holds all texts of the line @param controlText the JSON text of the control totals */
function check(value: unknown, text: string, controlText: () => string | undefined): Reading {
  const problem = jsonbProblem(text);
  if (problem) return { problem };
  const errors = payloadErrors(ControlLineDto, value, NO_RUNTIME_LIMITS);
  const line = (value ?? {}) as Partial<ControlLineDto>;
  const isGiven = line.control && errors.every(({ attr }) => attr !== 'control');
  const { control, errors: wrongControl = [] } = isGiven ? readControl(controlText() ?? '{}') : {};
  const wrong = problemOf([...errors, ...wrongControl]);
  if (wrong) return { problem: wrong };
  return {
    record: {
      externalAccountNumber: line.external_account_number ?? '',
      openStatementFrom: undefined,
      openStatementTo: undefined,
      account: undefined,
      control,
    },
  };
}
