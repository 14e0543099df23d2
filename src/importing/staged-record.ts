import { IsObject } from 'class-validator';
import { fieldError } from '../common/errors.js';
import { jsonbProblem, memberText } from '../common/json-bytes.js';
import { CrossField } from '../common/validation/cross-field-rule.decorator.js';
import { payloadErrors } from '../common/validation/payload-errors.js';
import { calendarDay } from '../common/validation/rules/dates.js';
import { identifier } from '../common/validation/rules/text.js';
import { NO_RUNTIME_LIMITS } from '../common/validation/rules/runtime-limits.js';
import { Optional, Satisfies } from '../common/validation/satisfies.decorator.js';
import { headerProblem, RECORD_FIELDS } from '../account-files/header-problem.js';
import { problemOf, type LineFormat, type Reading } from '../account-files/line-reading.js';
import {
  CONTROL_COLUMNS,
  controlColumnProblem,
  controlTextOf,
  readControl,
} from '../control-totals/control-text.js';

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
  headerProblem: (columns) =>
    headerProblem(columns, { columnProblem: controlColumnProblem }) ?? accountColumnsProblem(columns),
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
  } catch {
    return { problem: { code: 'invalid', detail: 'account: The cell is not JSON.' } };
  }
}

const FIELDS = new Set([...RECORD_FIELDS, 'account']);
const CONTROLS: ReadonlySet<string> = new Set(CONTROL_COLUMNS);

/** Members of the account are columns of their own, or one column of JSON. */
function accountColumnsProblem(columns: readonly string[]): string | undefined {
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
