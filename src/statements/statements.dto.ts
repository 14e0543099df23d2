import { AccountRefDto } from '../accounts/account-ref.js';
import { fieldError } from '../common/errors.js';
import { Check, Omittable, Required, RequiredList } from '../common/validation/field.decorators.js';
import { repeats } from '../common/validation/repeats.js';
import { calendarDay, decimalNumber, documentPath, identifier } from '../common/validation/rules.js';
import type { StatementDraft } from './statements.service.js';

/** One statement as it is sent (specification 2.5; contract H1). */
@Check<StatementDto>({
  needs: ['bill_period_from_date', 'bill_period_to_date'],
  // Days in this form are in the order of their text.
  errors: ({ bill_period_from_date, bill_period_to_date }) =>
    bill_period_from_date > bill_period_to_date
      ? [fieldError('start_date_later_than_end_date', 'bill_period_from_date')]
      : [],
})
export class StatementDto {
  @Required(identifier)
  statement_id: string;

  @Required(calendarDay)
  bill_period_from_date: string;

  @Required(calendarDay)
  bill_period_to_date: string;

  @Omittable(calendarDay)
  issued_date?: string;

  @Omittable(identifier)
  number?: string;

  @Omittable(decimalNumber)
  gross_amount?: number;

  @Omittable(documentPath)
  statement_path?: string;
}

/** The payload of `POST historical-statements/create/`, and its answer (specification 4.3; contract H2, H3). */
@Check<CreateStatementsDto>({
  needs: ['statements'],
  errors: ({ statements }) =>
    repeats(statements, 'statement_id').map((index) =>
      fieldError('duplicate_statement_ids', `statements.${index}.statement_id`),
    ),
})
export class CreateStatementsDto extends AccountRefDto {
  @RequiredList(() => StatementDto)
  statements: StatementDto[];
}

export function toStatementDraft(dto: StatementDto): StatementDraft {
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
