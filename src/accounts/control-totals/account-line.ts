import { ACCOUNTS, type Fields } from '#files';
import type { Type } from '@nestjs/common';
import { fieldError } from '../../infrastructure/errors/errors.js';
import { jsonbProblem } from '../../infrastructure/json/json-bytes.js';
import type { CrossFieldRule } from '../../infrastructure/validation/cross-field-rule.decorator.js';
import { payloadErrors } from '../../infrastructure/validation/payload-errors.js';
import { NO_RUNTIME_LIMITS } from '../../infrastructure/validation/rules/runtime-limits.js';
import { problemOf, type Reading } from '../files/line-reading.js';
import { readControl } from './control-text.js';

/** The members of a line about an account. Each kind of file has some of them. */
interface AccountLine {
  readonly external_account_number: string;
  readonly open_statement_from?: string;
  readonly open_statement_to?: string;
  readonly account?: object;
  readonly control?: object | null;
}

/** The number of an account, and the fields of accounts with such names: the columns of a table that sets them. */
export function accountFields(names: RegExp): Fields {
  const { name, types, required, lists, row } = ACCOUNTS;
  const own = [...types].filter(([field]) => required.includes(field) || names.test(field));
  return { name, types: new Map(own), required, lists, row };
}

/** A period does not end before it begins. */
export const PERIOD_IN_ORDER: CrossFieldRule<Pick<AccountLine, 'open_statement_from' | 'open_statement_to'>> =
  {
    needs: ['open_statement_from', 'open_statement_to'],
    errors: ({ open_statement_from: from, open_statement_to: to }) =>
      from !== undefined && to !== undefined && from > to
        ? [fieldError('start_date_later_than_end_date', 'open_statement_from')]
        : [],
  };

/**
 * Read a line of a file of accounts.
 *
 * @param type the DTO class for the lines of such a file
 * @param text JSON with every string of the line except those that have rules of their own
 * @param textOf returns the JSON text of a member that the line has
 */
export function readLine(
  type: Type<object>,
  value: unknown,
  text: string,
  textOf: (member: 'account' | 'control') => string | undefined,
): Reading {
  const problem = jsonbProblem(text);
  if (problem) return { problem };
  const errors = payloadErrors(type, value, NO_RUNTIME_LIMITS);
  const line = (value ?? {}) as AccountLine;
  const hasControl = line.control && errors.every(({ attr }) => attr !== 'control');
  const { control, errors: controlErrors = [] } = hasControl ? readControl(textOf('control') ?? '{}') : {};
  const invalid = problemOf([...errors, ...controlErrors]);
  if (invalid) return { problem: invalid };
  return {
    record: {
      externalAccountNumber: line.external_account_number,
      openStatementFrom: line.open_statement_from,
      openStatementTo: line.open_statement_to,
      account: line.account && textOf('account'),
      control,
    },
  };
}
