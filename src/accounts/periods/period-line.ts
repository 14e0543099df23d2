import { CrossField } from '../../infrastructure/validation/cross-field-rule.decorator.js';
import { calendarDay } from '../../infrastructure/validation/rules/dates.js';
import { identifier } from '../../infrastructure/validation/rules/text.js';
import { Optional, Satisfies } from '../../infrastructure/validation/satisfies.decorator.js';
import type { LineFormat } from '../files/line-reading.js';
import { accountFields, PERIOD_IN_ORDER, readLine } from '../control-totals/account-line.js';

/** One line of a file of periods (choice S9). It sets the whole period: without `open_statement_to` the period has no end. */
@CrossField(PERIOD_IN_ORDER)
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
  readJson: (value) => readLine(PeriodLineDto, value, '{}', () => undefined),
  fields: accountFields(/^open_statement_/),
};
