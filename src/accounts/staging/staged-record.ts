import { ACCOUNTS } from '#files';
import { IsObject } from 'class-validator';
import { memberText } from '../../infrastructure/json/json-bytes.js';
import { CrossField } from '../../infrastructure/validation/cross-field-rule.decorator.js';
import { calendarDay } from '../../infrastructure/validation/rules/dates.js';
import { identifier } from '../../infrastructure/validation/rules/text.js';
import { Optional, Satisfies } from '../../infrastructure/validation/satisfies.decorator.js';
import type { LineFormat } from '../files/line-reading.js';
import { PERIOD_IN_ORDER, readLine } from '../control-totals/account-line.js';
import { isHeaderName } from './new-number.js';

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
 * The lines of a staging file. Of a table, a column without another meaning becomes a member of the account, with the unchanged cell
 * as a string.
 *
 * Source: choice S7.
 */
export const STAGED_LINES: LineFormat = {
  readJson: (value, text, isRow) => {
    const reading = readLine(StagedRecordDto, value, text, (name) => memberText(text, name));
    const isHeader = isRow && 'record' in reading && hasHeaderName(value as StagedRecordDto);
    return isHeader ? { record: { ...reading.record, isHeader } } : reading;
  },
  fields: ACCOUNTS,
};

function hasHeaderName({ account, ...others }: StagedRecordDto): boolean {
  const cells: unknown[] = Object.values({ ...account, ...others });
  return cells.some((cell) => typeof cell === 'string' && isHeaderName(cell));
}
