import { fieldError } from '../common/errors.js';
import { CrossField } from '../common/validation/cross-field-rule.decorator.js';
import { payloadErrors } from '../common/validation/payload-errors.js';
import { calendarDay } from '../common/validation/rules/dates.js';
import { identifier } from '../common/validation/rules/text.js';
import { NO_RUNTIME_LIMITS } from '../common/validation/rules/runtime-limits.js';
import { Optional, Satisfies } from '../common/validation/satisfies.decorator.js';
import { headerProblem, RECORD_FIELDS } from '../account-files/header-problem.js';
import { problemOf, type LineFormat, type Reading } from '../account-files/line-reading.js';

/** One line of a file of periods (choice S9). It gives the whole period: without an end the period has none. */
@CrossField<PeriodLineDto>({
  needs: ['open_statement_from', 'open_statement_to'],
  errors: ({ open_statement_from: from, open_statement_to: to }) =>
    to !== undefined && from > to
      ? [fieldError('start_date_later_than_end_date', 'open_statement_from')]
      : [],
})
export class PeriodLineDto {
  @Satisfies(identifier)
  external_account_number: string;

  @Satisfies(calendarDay)
  open_statement_from: string;

  @Optional()
  @Satisfies(calendarDay)
  open_statement_to?: string;
}

/**
 * The lines of a file of periods.
 *
 * Source: choice S9.
 */
export const PERIOD_LINES: LineFormat = {
  readJson: check,
  headerProblem: (columns) => headerProblem(columns, { known: RECORD_FIELDS }),
  readCells: (cells) => check(Object.fromEntries(cells)),
};

function check(value: unknown): Reading {
  const problem = problemOf(payloadErrors(PeriodLineDto, value, NO_RUNTIME_LIMITS));
  if (problem) return { problem };
  const line = value as PeriodLineDto;
  return {
    record: {
      externalAccountNumber: line.external_account_number,
      openStatementFrom: line.open_statement_from,
      openStatementTo: line.open_statement_to,
      account: undefined,
    },
  };
}
