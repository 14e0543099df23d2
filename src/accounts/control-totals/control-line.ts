import { memberText } from '../../infrastructure/json/json-bytes.js';
import { identifier } from '../../infrastructure/validation/rules/text.js';
import type { PlainRule } from '../../infrastructure/validation/rules/rule.js';
import { Satisfies } from '../../infrastructure/validation/satisfies.decorator.js';
import type { LineFormat } from '../files/line-reading.js';
import { accountFields, readLine } from './account-line.js';

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

/**
 * The lines of a file of control totals. A row of a table without any expects nothing.
 *
 * Source: choice V6.
 */
export const CONTROL_LINES: LineFormat = {
  readJson: (value, text, isRow) => {
    const line = isRow ? { control: {}, ...(value as object) } : value;
    return readLine(ControlLineDto, line, text, () => memberText(text, 'control'));
  },
  fields: accountFields(/^control\./),
};
