import { ApiExtraModels, ApiProperty, ApiSchema, OmitType } from '../infrastructure/validation/openapi.js';
import { AccountRefDto } from '../ingest/account-ref.js';
import { ImportQuery } from '../ingest/import-query.js';
import { fieldError, type FieldError } from '../infrastructure/errors/errors.js';
import { AMOUNT_SHAPE } from '../infrastructure/text/money.js';
import { CrossField } from '../infrastructure/validation/cross-field-rule.decorator.js';
import {
  AmountField,
  CatalogueField,
  DateField,
  DecimalField,
  DecimalListField,
  IdentifierField,
  ListField,
  OneOfField,
  QueryBooleanField,
  ReferenceField,
  TextField,
} from '../infrastructure/validation/field.decorators.js';
import { Item } from '../infrastructure/validation/item-bytes.js';
import { repeats } from '../infrastructure/validation/repeats.js';
import { toTransactionData } from './transaction-data.js';
import type { Described } from '../ingest/kinds/item-kind.js';
import { TRANSACTION } from '../ingest/kinds/transaction.item.js';
import type { BookingRules, NewTransaction, TransactionOutcome } from './transactions.types.js';

/** The values of `type` (choice X3). */
export const TRANSACTION_TYPES = ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'] as const;
export const UNIT_TYPES = ['PROPORTION', 'CURRENCY_PER_KWH'] as const;

const IMPORT_SUCCESS = 'TRANSACTION_IMPORT_SUCCESS';

const NOTE_MAX = 5_000;
const LINE_ITEMS_MAX = 1_000;
const TAX_ITEMS_MAX = 100;
/** Most readings of a line. One reading at the start and one at the end already make two. */
const UNITS_MAX = 100;

/** One line of a supply charge (specification 2.4). */
@CrossField<LineItemDto>({
  needs: ['start_date', 'end_date'],
  errors: ({ start_date, end_date }) =>
    end_date < start_date ? [fieldError('start_date_later_than_end_date', 'start_date')] : [],
})
@ApiSchema({ description: 'A line of a supply charge.' })
export class LineItemDto {
  @IdentifierField({ optional: true, description: 'Free text, such as `CONSUMPTION_STANDARD`.' })
  rate_band?: string;

  @DateField({ description: 'First day of the line, not after `end_date`.' })
  start_date: string;

  @DateField({ description: 'Last day of the line.' })
  end_date: string;

  @DecimalField()
  number_of_units: number;

  @DecimalField()
  net_amount: number;

  @DecimalField({ optional: true })
  price_per_unit?: number;

  @DecimalListField({
    max: UNITS_MAX,
    optional: true,
    description: 'Readings, such as those at the beginning and at the end of the line.',
  })
  units?: number[];
}

/** One tax of a supply charge (specification 2.4). */
@ApiSchema({ description: 'A tax of a supply charge.' })
export class TaxItemDto {
  @DecimalField()
  amount: number;

  @IdentifierField({ description: 'Free text, such as `VAT`.' })
  tax_type: string;

  @DecimalField()
  value_taxed: number;

  @DecimalField()
  rate: number;

  @OneOfField(UNIT_TYPES)
  unit_type: (typeof UNIT_TYPES)[number];
}

/** One transaction as it is sent (specification 2.4; choices X1 to X3). */
@CrossField<TransactionDto>({ needs: ['type', 'line_items'], errors: lineItemErrors })
@CrossField<TransactionDto>({ needs: ['type', 'product_code'], errors: productErrors })
@Item({
  description: 'A transaction. The type `SUPPLY_CHARGE` requires `product_code` and at least one line item.',
})
export class TransactionDto {
  @IdentifierField({ description: 'Identifies the transaction within the account.' })
  transaction_id: string;

  @DateField({
    description:
      "A day outside the account's open statement period is moved into it, or rejected: see `force_add_to_current_statement`.",
  })
  transaction_date: string;

  @AmountField({ description: 'A JSON number; answers contain it as text.' })
  amount: number;

  @OneOfField(TRANSACTION_TYPES, { name: 'TransactionType' })
  type: (typeof TRANSACTION_TYPES)[number];

  @CatalogueField('reason', { optional: true })
  reason?: string;

  @ReferenceField({ optional: true, description: 'The reference of a payment or repayment.' })
  reference?: string;

  @CatalogueField('payment_type', { optional: true })
  payment_type?: string;

  @TextField({ max: NOTE_MAX, blankAllowed: true, optional: true, description: 'Shown to the customer.' })
  display_note?: string;

  @TextField({ max: NOTE_MAX, blankAllowed: true, optional: true, description: 'Internal.' })
  note?: string;

  @IdentifierField({ optional: true, description: 'Free text; required for a `SUPPLY_CHARGE`.' })
  product_code?: string;

  @ListField(() => LineItemDto, {
    max: LINE_ITEMS_MAX,
    optional: true,
    description: 'At least one is required for a `SUPPLY_CHARGE`.',
  })
  line_items?: LineItemDto[];

  @ListField(() => TaxItemDto, {
    max: TAX_ITEMS_MAX,
    optional: true,
    description: 'Used with a `SUPPLY_CHARGE`.',
  })
  tax_items?: TaxItemDto[];
}

function productErrors({ type, product_code }: TransactionDto): FieldError[] {
  return type === 'SUPPLY_CHARGE' && product_code === undefined
    ? [fieldError('required', 'product_code')]
    : [];
}

function lineItemErrors({ type, line_items }: TransactionDto): FieldError[] {
  if (type !== 'SUPPLY_CHARGE' || (line_items && line_items.length > 0)) return [];
  return [fieldError(line_items ? 'min_length' : 'required', 'line_items')];
}

/** The payload of `POST transactions/create/` (specification 4.2). */
@CrossField<CreateTransactionsDto>({
  needs: ['transactions'],
  errors: ({ transactions }) =>
    repeats(transactions, TRANSACTION.same).map((index) =>
      fieldError('duplicate_transaction_ids', `transactions.${index}.transaction_id`),
    ),
})
@ApiSchema({ description: 'Transactions for one account.' })
export class CreateTransactionsDto extends AccountRefDto {
  @ListField(() => TransactionDto, {
    description: `No \`${TRANSACTION.same.join(' and ')}\` may be repeated. The answer has the same order.`,
  })
  transactions: TransactionDto[];
}

/** The query parameters of `POST transactions/create/` (specification 4.2). */
export class TransactionsQuery extends ImportQuery {
  @QueryBooleanField({
    optional: true,
    description:
      'Skip transactions whose `transaction_id` the account already has. `false` adds them again each time they are sent: omit it when a request is sent again.',
  })
  check_previously_added = true;

  @QueryBooleanField({
    optional: true,
    description:
      "Move a `transaction_date` outside the account's open statement period to the nearest day inside it, and pin a note to the account that lists the moved transactions. `false` rejects the whole request (`transaction_import_error`).",
  })
  force_add_to_current_statement = true;
}

/** The data of a refused transaction (choice X8). */
@ApiSchema({
  description: 'The fields of the transaction as sent, except `amount`, which is text.',
})
export class RefusedTransactionDataDto extends OmitType(TransactionDto, ['amount']) {
  @ApiProperty({
    pattern: AMOUNT_SHAPE.source,
    description: 'The amount that was sent, as text with two decimal places.',
  })
  amount: string;
}

/** The data of a transaction that was added or that the account already had (choices X7, X9). */
@ApiSchema({
  description:
    'The fields of the transaction that were sent, and a status. They are as sent, except `amount`, which is text, and `transaction_date` and `note` of a transaction that was moved into the open statement period. A transaction that the account already had is never moved.',
})
export class TransactionDataDto extends OmitType(RefusedTransactionDataDto, ['transaction_date', 'note']) {
  @ApiProperty({
    format: 'date',
    description: 'As sent; of a moved transaction the day to which it was moved.',
  })
  transaction_date: string;

  @ApiProperty({
    required: false,
    description:
      'As sent. Of a moved transaction a sentence that names both days is appended, so it may be longer than a note that is sent, and it is present even if none was sent.',
  })
  note?: string;

  @ApiProperty({ enum: [IMPORT_SUCCESS] })
  status: string;
}

/** One element of `results` (specification 4.2). */
@ApiSchema({ description: 'The result of one transaction.' })
export class TransactionResultDto {
  @ApiProperty({
    enum: ['TRANSACTION_ADDED_TO_ACCOUNT', 'TRANSACTION_ALREADY_EXISTS'],
    description:
      '`TRANSACTION_ALREADY_EXISTS`: the account already has a transaction with this `transaction_id`, whatever its content, and nothing was added.',
  })
  status: 'TRANSACTION_ADDED_TO_ACCOUNT' | 'TRANSACTION_ALREADY_EXISTS';

  @ApiProperty({ type: TransactionDataDto })
  transaction_data: object;
}

/** The answer of `POST transactions/create/`. */
@ApiExtraModels(RefusedTransactionDataDto)
@ApiSchema({ description: 'One result for each transaction, in the order of the request.' })
export class TransactionResultsDto {
  @ApiProperty({ type: [TransactionResultDto] })
  results: TransactionResultDto[];
}

export function toNewTransaction(dto: TransactionDto): NewTransaction {
  const sent: Described<typeof TRANSACTION, TransactionDto> = dto;
  return {
    id: dto.transaction_id,
    date: dto.transaction_date,
    amount: dto.amount,
    sent,
  };
}

export function toBookingRules(query: TransactionsQuery): BookingRules {
  return {
    checkPreviouslyAdded: query.check_previously_added,
    moveIntoPeriod: query.force_add_to_current_statement,
  };
}

/** @param outcomes one for each transaction, in the same order */
export function toAnswer(
  transactions: readonly NewTransaction[],
  outcomes: readonly TransactionOutcome[],
): TransactionResultsDto {
  return {
    results: transactions.map((transaction, index) => {
      const { isNew = false, moved } = outcomes[index] ?? {};
      return {
        status: isNew ? 'TRANSACTION_ADDED_TO_ACCOUNT' : 'TRANSACTION_ALREADY_EXISTS',
        transaction_data: Object.assign(
          toTransactionData(transaction),
          moved && { transaction_date: moved.to, note: moved.note },
          { status: IMPORT_SUCCESS },
        ),
      };
    }),
  };
}
