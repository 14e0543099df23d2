import { ApiSchema } from '../infrastructure/validation/openapi.js';
import { AccountRefDto } from '../ingest/account-ref.js';
import { fieldError } from '../infrastructure/errors/errors.js';
import { CrossField } from '../infrastructure/validation/cross-field-rule.decorator.js';
import {
  DateField,
  DecimalField,
  DocumentPathField,
  IdentifierField,
  ListField,
} from '../infrastructure/validation/field.decorators.js';
import { Item } from '../infrastructure/validation/item-bytes.js';
import { repeats } from '../infrastructure/validation/repeats.js';
import type { Described } from '../ingest/kinds/item-kind.js';
import { STATEMENT } from '../ingest/kinds/statement.item.js';
import type { NewStatement } from './statements.types.js';

/** One statement as it is sent (specification 2.5; choice H1). */
@CrossField<HistoricalStatementDto>({
  needs: ['bill_period_from_date', 'bill_period_to_date'],
  // Dates in this format compare correctly as text.
  errors: ({ bill_period_from_date, bill_period_to_date }) =>
    bill_period_from_date > bill_period_to_date
      ? [fieldError('start_date_later_than_end_date', 'bill_period_from_date')]
      : [],
})
@Item({ description: 'A statement that the previous supplier issued.' })
export class HistoricalStatementDto {
  @IdentifierField({ description: 'Identifies the statement within the account.' })
  statement_id: string;

  @DateField({ description: 'First day of the period, not after `bill_period_to_date`.' })
  bill_period_from_date: string;

  @DateField({ description: 'Last day of the period.' })
  bill_period_to_date: string;

  @DateField({ optional: true })
  issued_date?: string;

  @IdentifierField({ optional: true, description: 'Number of the statement.' })
  number?: string;

  @DecimalField({ optional: true })
  gross_amount?: number;

  @DocumentPathField({ optional: true, description: 'The PDF of the statement.' })
  statement_path?: string;
}

/** The payload of `POST historical-statements/create/`, and its answer (specification 4.3; choices H2, H3). */
@CrossField<CreateHistoricalStatementsDto>({
  needs: ['statements'],
  errors: ({ statements }) =>
    repeats(statements, STATEMENT.same).map((index) =>
      fieldError('duplicate_statement_ids', `statements.${index}.statement_id`),
    ),
})
@ApiSchema({
  description: 'Historical statements for one account. The answer repeats them as sent.',
})
export class CreateHistoricalStatementsDto extends AccountRefDto {
  @ListField(() => HistoricalStatementDto, {
    description: `No \`${STATEMENT.same.join(' and ')}\` may be repeated.`,
  })
  statements: HistoricalStatementDto[];
}

export function toNewStatement(dto: HistoricalStatementDto): NewStatement {
  const sent: Described<typeof STATEMENT, HistoricalStatementDto> = dto;
  return {
    statementPath: dto.statement_path,
    sent,
  };
}
