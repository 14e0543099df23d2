import { IsObject } from 'class-validator';
import { memberText } from '../../infrastructure/json/json-bytes.js';
import { CrossField } from '../../infrastructure/validation/cross-field-rule.decorator.js';
import { calendarDay } from '../../infrastructure/validation/rules/dates.js';
import { identifier } from '../../infrastructure/validation/rules/text.js';
import { Optional, Satisfies } from '../../infrastructure/validation/satisfies.decorator.js';
import { headerProblem, RECORD_FIELDS } from '../files/header-problem.js';
import type { LineFormat, Reading } from '../files/line-reading.js';
import { PERIOD_IN_ORDER, readLine } from '../control-totals/account-line.js';
import { isHeaderName } from './new-number.js';
import { CONTROL_COLUMNS, controlColumnProblem, controlTextOf } from '../control-totals/control-text.js';

/**
 * One line of a staging file (choice S7). It is not part of the API, so it does without the decorators of field.decorators.ts,
 * which would load the OpenAPI packages into every command.
 */
@CrossField(PERIOD_IN_ORDER)
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
 * The lines of a staging file. A column without another meaning becomes a member of the account, with the unchanged cell as a
 * string.
 *
 * Source: choice S7.
 */
export const STAGED_LINES: LineFormat = {
  readJson: (value, text) => readLine(StagedRecordDto, value, text, (name) => memberText(text, name)),
  headerProblem: (columns) =>
    headerProblem(columns, { columnProblem: controlColumnProblem }) ?? accountColumnsProblem(columns),
  readCells,
};

function readCells(filled: ReadonlyMap<string, string>): Reading {
  const reading = readFilled(filled);
  const isHeader = 'record' in reading && [...filled.values()].some(isHeaderName);
  return isHeader ? { record: { ...reading.record, isHeader } } : reading;
}

function readFilled(filled: ReadonlyMap<string, string>): Reading {
  const value = Object.fromEntries([...filled].filter(([name]) => FIELDS.has(name)));
  const control = controlTextOf(filled);
  const given = { ...value, ...(control !== undefined && { control: {} }) };
  if (value.account !== undefined) return withJsonAccount(given, value.account, control);
  const others = [...filled].filter(([name]) => !FIELDS.has(name) && !CONTROLS.has(name));
  if (others.length === 0) return readLine(StagedRecordDto, given, '{}', () => control);
  const account = Object.fromEntries(others);
  const text = JSON.stringify(account);
  return readLine(StagedRecordDto, { ...given, account }, text, (name) =>
    name === 'account' ? text : control,
  );
}

/** A cell of the column `account` contains the account as JSON. */
function withJsonAccount(value: object, cell: string, control: string | undefined): Reading {
  try {
    const account = JSON.parse(cell) as unknown;
    return readLine(StagedRecordDto, { ...value, account }, cell, (name) =>
      name === 'account' ? cell : control,
    );
  } catch {
    return { problem: { code: 'invalid', detail: 'account: The cell is not JSON.' } };
  }
}

const FIELDS = new Set([...RECORD_FIELDS, 'account']);
const CONTROLS: ReadonlySet<string> = new Set(CONTROL_COLUMNS);

/** The account is given either as one column of JSON or as one column for each member. */
function accountColumnsProblem(columns: readonly string[]): string | undefined {
  return columns.includes('account') && columns.some((name) => !FIELDS.has(name) && !CONTROLS.has(name))
    ? 'The header has both the column account and columns of its members.'
    : undefined;
}
