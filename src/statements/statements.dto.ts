import { ApiSchema } from '@nestjs/swagger';
import { AccountRefDto } from '../accounts/account-ref.js';
import { fieldError } from '../common/errors.js';
import { Check, Omittable, Required, RequiredList } from '../common/validation/field.decorators.js';
import { repeats } from '../common/validation/repeats.js';
import {
  calendarDay,
  decimalNumber,
  described,
  documentPath,
  identifier,
} from '../common/validation/rules.js';
import type { NewStatement } from './statements.types.js';

/** One statement as it is sent (specification 2.5; contract H1). */
@Check<HistoricalStatementDto>({
  needs: ['bill_period_from_date', 'bill_period_to_date'],
  // Days in this form are in the order of their text.
  errors: ({ bill_period_from_date, bill_period_to_date }) =>
    bill_period_from_date > bill_period_to_date
      ? [fieldError('start_date_later_than_end_date', 'bill_period_from_date')]
      : [],
})
@ApiSchema({ description: 'A statement that the former supplier issued.' })
export class HistoricalStatementDto {
  @Required(described(identifier, 'What makes a statement of the account the same as another.'))
  statement_id: string;

  @Required(described(calendarDay, 'First day of the period, not after `bill_period_to_date`.'))
  bill_period_from_date: string;

  @Required(described(calendarDay, 'Last day of the period.'))
  bill_period_to_date: string;

  @Omittable(calendarDay)
  issued_date?: string;

  @Omittable(described(identifier, 'Number of the statement.'))
  number?: string;

  @Omittable(decimalNumber)
  gross_amount?: number;

  @Omittable(described(documentPath, 'Where the PDF of the statement is.'))
  statement_path?: string;
}

/** The payload of `POST historical-statements/create/`, and its answer (specification 4.3; contract H2, H3). */
@Check<CreateHistoricalStatementsDto>({
  needs: ['statements'],
  errors: ({ statements }) =>
    repeats(statements, 'statement_id').map((index) =>
      fieldError('duplicate_statement_ids', `statements.${index}.statement_id`),
    ),
})
@ApiSchema({
  description: 'Historical statements for one account; the answer repeats them as they were sent.',
})
export class CreateHistoricalStatementsDto extends AccountRefDto {
  @RequiredList(() => HistoricalStatementDto, { description: 'No `statement_id` may stand twice in it.' })
  statements: HistoricalStatementDto[];
}

export function toNewStatement(dto: HistoricalStatementDto): NewStatement {
  return {
    statementId: dto.statement_id,
    billPeriodFromDate: dto.bill_period_from_date,
    billPeriodToDate: dto.bill_period_to_date,
    issuedDate: dto.issued_date,
    number: dto.number,
    grossAmount: dto.gross_amount,
    statementPath: dto.statement_path,
  };
}
