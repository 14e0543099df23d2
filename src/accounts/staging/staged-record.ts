import { IsObject } from 'class-validator';
import { fieldError } from '../../common/errors.js';
import { memberText } from '../../common/json-bytes.js';
import { jsonbProblem } from '../../common/jsonb.js';
import { CrossField } from '../../common/validation/cross-field-rule.decorator.js';
import { payloadErrors } from '../../common/validation/payload-errors.js';
import { calendarDay } from '../../common/validation/rules/dates.js';
import { identifier } from '../../common/validation/rules/text.js';
import { NO_RUNTIME_LIMITS } from '../../common/validation/runtime-limits.js';
import { Optional, Satisfies } from '../../common/validation/satisfies.decorator.js';
import { problemOf } from '../account-file/line-problem.js';
import type { LineFormat, Reading } from '../account-file/line-reading.js';
import {
  CONTROL_COLUMNS,
  controlColumnProblem,
  controlTextOf,
  readControl,
} from '../control/control-text.js';

/**
 * One line of a staging file (choice S7). It is not published, so it does without the decorators of field.decorators.ts:
 * they would load the packages of OpenAPI into every command.
 */
@CrossField<StagedRecordDto>({
  needs: ['open_statement_from', 'open_statement_to'],
  errors: ({ open_statement_from: from, open_statement_to: to }) =>
    from !== undefined && to !== undefined && from > to
      ? [fieldError('start_date_later_than_end_date', 'open_statement_from')]
      : [],
})
export class StagedRecordDto {
  @Satisfies(identifier)
  external_account_number: string;

  @Optional()
  @Satisfies(calendarDay)
  open_statement_from?: string;

  @Optional()
  @Satisfies(calendarDay)
  open_statement_to?: string;

  @Optional()
  @IsObject({ message: 'Expected an object.' })
  account?: object;

  @Optional()
  @IsObject({ message: 'Expected an object.' })
  control?: object;
}

/**
 * The lines of a staging file. A column of no other meaning becomes a member of the account, its cell unchanged as a text.
 *
 * Source: choice S7.
 */
export const STAGED_LINES: LineFormat = {
  readJson: (value, text) => check(value, text, (name) => memberText(text, name)),
  headerProblem: (columns) => headerProblem(columns),
  readCells,
};

function readCells(filled: ReadonlyMap<string, string>): Reading {
  const value = Object.fromEntries([...filled].filter(([name]) => FIELDS.has(name)));
  const control = controlTextOf(filled);
  const given = { ...value, ...(control !== undefined && { control: {} }) };
  if (value.account !== undefined) return withJsonAccount(given, value.account, control);
  const others = [...filled].filter(([name]) => !FIELDS.has(name) && !CONTROLS.has(name));
  if (others.length === 0) return check(given, '{}', () => control);
  const account = Object.fromEntries(others);
  const text = JSON.stringify(account);
  return check({ ...given, account }, text, (name) => (name === 'account' ? text : control));
}

/** A cell of the column `account` holds the account's JSON. */
function withJsonAccount(value: object, cell: string, control: string | undefined): Reading {
  try {
    const account = JSON.parse(cell) as unknown;
    return check({ ...value, account }, cell, (name) => (name === 'account' ? cell : control));
  } catch (error) {
    const detail = `account: The cell is not JSON: ${(error as Error).message}`;
    return { problem: { code: 'invalid', detail } };
  }
}

const OWN_FIELDS = new Set(['external_account_number', 'open_statement_from', 'open_statement_to']);
const FIELDS = new Set([...OWN_FIELDS, 'account']);
const CONTROLS: ReadonlySet<string> = new Set(CONTROL_COLUMNS);

/**
 * @param known the columns of a file that has no others
 * @returns why no row can be read with such a header, as a sentence; nothing when the header is valid
 */
export function headerProblem(columns: readonly string[], known?: readonly string[]): string | undefined {
  if (columns.includes('')) return 'The header has a column without a name.';
  // Otherwise the column would become a member of the account, and the period would be lost.
  for (const name of columns) {
    const intended = name.trim().toLowerCase();
    if (name !== intended && OWN_FIELDS.has(intended)) {
      return `The header has the column ${JSON.stringify(name)}, which must be written ${intended}.`;
    }
  }
  for (const name of columns) {
    const problem = controlColumnProblem(name);
    if (problem !== undefined) return problem;
  }
  const repeated = columns.find((name, index) => columns.indexOf(name) !== index);
  if (repeated !== undefined) return `The header has the column ${repeated} twice.`;
  if (!columns.includes('external_account_number'))
    return 'The header has no column external_account_number.';
  const unknown = known && columns.find((name) => !known.includes(name));
  if (unknown !== undefined) return `The header has the unknown column ${unknown}.`;
  return columns.includes('account') && columns.some((name) => !FIELDS.has(name) && !CONTROLS.has(name))
    ? 'The header has both the column account and columns of its members.'
    : undefined;
}

/**
 * @param text JSON that holds the account, as sent
 * @param textOf called for a valid value that has the member; returns its JSON text
 */
function check(
  value: unknown,
  text: string,
  textOf: (member: 'account' | 'control') => string | undefined,
): Reading {
  const problem = jsonbProblem(text);
  if (problem) return { problem };
  const errors = payloadErrors(StagedRecordDto, value, NO_RUNTIME_LIMITS);
  const record = (value ?? {}) as StagedRecordDto;
  const isControlled = record.control !== undefined && errors.every(({ attr }) => attr !== 'control');
  const { control, errors: wrongControl = [] } = isControlled ? readControl(textOf('control') ?? '{}') : {};
  const wrong = problemOf([...errors, ...wrongControl]);
  if (wrong) return { problem: wrong };
  return {
    record: {
      externalAccountNumber: record.external_account_number,
      openStatementFrom: record.open_statement_from,
      openStatementTo: record.open_statement_to,
      account: record.account && textOf('account'),
      control,
    },
  };
}
