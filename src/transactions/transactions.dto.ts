import { ApiExtraModels, ApiProperty, ApiSchema } from '@nestjs/swagger';
import { AccountRefDto } from '../accounts/account-ref.js';
import { ImportQuery } from '../imports/import-query.js';
import { fieldError, type FieldError } from '../common/errors.js';
import { AMOUNT_SHAPE } from '../common/money.js';
import { EchoOf } from '../common/validation/echo.decorator.js';
import {
  Check,
  Omittable,
  OmittableList,
  Required,
  RequiredList,
} from '../common/validation/field.decorators.js';
import { repeats } from '../common/validation/repeats.js';
import { QueryBoolean } from '../common/validation/query.js';
import {
  amount,
  calendarDay,
  decimalNumber,
  described,
  fromCatalogue,
  identifier,
  list,
  oneOf,
  reference,
  text,
  truth,
} from '../common/validation/rules.js';
import { toTransactionData } from './transaction-data.js';
import type { BookingRules, NewTransaction, TransactionOutcome } from './transactions.types.js';

const TYPES = ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'] as const;
const UNIT_TYPES = ['PROPORTION', 'CURRENCY_PER_KWH'] as const;

const IMPORT_SUCCESS = 'TRANSACTION_IMPORT_SUCCESS';

const NOTE_MAX = 5_000;
const LINE_ITEMS_MAX = 1_000;
const TAX_ITEMS_MAX = 1_000;
/** Half-hourly readings of a whole year. */
const UNITS_MAX = 17_568;

/** One line of a supply charge (specification 2.4). */
@Check<LineItemDto>({
  needs: ['start_date', 'end_date'],
  errors: ({ start_date, end_date }) =>
    end_date < start_date ? [fieldError('start_date_later_than_end_date', 'start_date')] : [],
})
@ApiSchema({ description: 'A line of a supply charge.' })
export class LineItemDto {
  @Omittable(described(identifier, 'A name of yours, such as `CONSUMPTION_STANDARD`.'))
  rate_band?: string;

  @Required(described(calendarDay, 'First day of the line, not after `end_date`.'))
  start_date: string;

  @Required(described(calendarDay, 'Last day of the line.'))
  end_date: string;

  @Required(decimalNumber)
  number_of_units: number;

  @Required(decimalNumber)
  net_amount: number;

  @Omittable(decimalNumber)
  price_per_unit?: number;

  @Omittable(
    described(list({ max: UNITS_MAX, each: decimalNumber }), 'Readings, such as the half-hours of a year.'),
  )
  units?: number[];
}

/** One tax of a supply charge (specification 2.4). */
@ApiSchema({ description: 'A tax of a supply charge.' })
export class TaxItemDto {
  @Required(decimalNumber)
  amount: number;

  @Required(described(identifier, 'A name of yours, such as `VAT`.'))
  tax_type: string;

  @Required(decimalNumber)
  value_taxed: number;

  @Required(decimalNumber)
  rate: number;

  @Required(oneOf(UNIT_TYPES))
  unit_type: (typeof UNIT_TYPES)[number];
}

/** One transaction as it is sent (specification 2.4; contract X1 to X3). */
@Check<TransactionDto>({ needs: ['type', 'line_items'], errors: lineItemErrors })
@Check<TransactionDto>({ needs: ['type', 'product_code'], errors: productErrors })
@ApiSchema({
  description:
    'A transaction. One of the type `SUPPLY_CHARGE` needs `product_code` and at least one of `line_items`.',
})
export class TransactionDto {
  @Required(described(identifier, 'What makes a transaction of the account the same as another.'))
  transaction_id: string;

  @Required(
    described(
      calendarDay,
      "A day outside the account's open statement period is moved into it, or refused: see `force_add_to_current_statement`.",
    ),
  )
  transaction_date: string;

  @Required(described(amount, 'A JSON number; answers have it as text.'))
  amount: number;

  @Required(oneOf(TYPES, 'TransactionType'))
  type: (typeof TYPES)[number];

  @Omittable(fromCatalogue('reason'))
  reason?: string;

  @Omittable(described(reference, 'Of a payment or repayment.'))
  reference?: string;

  @Omittable(fromCatalogue('payment_type'))
  payment_type?: string;

  @Omittable(described(text({ max: NOTE_MAX, blankAllowed: true }), 'For the customer.'))
  display_note?: string;

  @Omittable(described(text({ max: NOTE_MAX, blankAllowed: true }), 'Internal.'))
  note?: string;

  @Omittable(described(identifier, 'A name of yours; needed for a `SUPPLY_CHARGE`.'))
  product_code?: string;

  @OmittableList(() => LineItemDto, {
    max: LINE_ITEMS_MAX,
    description: 'At least one is needed for a `SUPPLY_CHARGE`.',
  })
  line_items?: LineItemDto[];

  @OmittableList(() => TaxItemDto, { max: TAX_ITEMS_MAX, description: 'Used with a `SUPPLY_CHARGE`.' })
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
@Check<CreateTransactionsDto>({
  needs: ['transactions'],
  errors: ({ transactions }) =>
    repeats(transactions, 'transaction_id').map((index) =>
      fieldError('duplicate_transaction_ids', `transactions.${index}.transaction_id`),
    ),
})
@ApiSchema({ description: 'Transactions for one account.' })
export class CreateTransactionsDto extends AccountRefDto {
  @RequiredList(() => TransactionDto, {
    description: 'No `transaction_id` may stand twice in it. Answered in this order.',
  })
  transactions: TransactionDto[];
}

/** The query parameters of `POST transactions/create/` (specification 4.2). */
export class TransactionsQuery extends ImportQuery {
  @QueryBoolean()
  @Omittable(
    described(
      truth,
      'Skip transactions whose `transaction_id` the account has. `false` adds them once more, as often as they are sent: leave it away when you send a request again.',
    ),
  )
  check_previously_added = true;

  @QueryBoolean()
  @Omittable(
    described(
      truth,
      'Move a `transaction_date` outside the open statement period of the account to its nearest day, and pin a note to the account that names what was moved. `false` refuses the whole request (`transaction_import_error`).',
    ),
  )
  force_add_to_current_statement = true;
}

/** What `formatAmount` writes. */
const AMOUNT_TEXT = {
  type: 'string',
  pattern: AMOUNT_SHAPE.source,
  description: 'The amount that was sent, as text with two decimals.',
};

/** What {@link toTransactionData} makes of a transaction that was added, or that the account has already (contract X7, X9). */
@EchoOf(TransactionDto, {
  transaction_date: {
    ...calendarDay.schema,
    description: 'As it was sent; of a moved transaction the day to which it was moved.',
  },
  amount: AMOUNT_TEXT,
  note: {
    type: 'string',
    description:
      'As it was sent; of a moved transaction with a sentence behind it that names both days, so it may be longer than one that is sent, and is there when none was.',
  },
  status: { type: 'string', enum: [IMPORT_SUCCESS] },
})
@ApiSchema({
  description:
    'The fields of the transaction that were sent, and a status. They are as they were sent, but for `amount`, which is text, and of a transaction that was moved into the open statement period `transaction_date` and `note`. One that the account has already is never moved.',
})
export class TransactionDataDto {}

/** What {@link toTransactionData} makes of a transaction that was refused (contract X8). */
@EchoOf(TransactionDto, { amount: AMOUNT_TEXT })
@ApiSchema({
  description: 'The fields of the transaction as they were sent, but for `amount`, which is text.',
})
export class RefusedTransactionDataDto {}

/** One element of `results` (specification 4.2). */
@ApiSchema({ description: 'What became of a transaction.' })
export class TransactionResultDto {
  @ApiProperty({
    enum: ['TRANSACTION_ADDED_TO_ACCOUNT', 'TRANSACTION_ALREADY_EXISTS'],
    description:
      '`TRANSACTION_ALREADY_EXISTS`: the account has a transaction of this `transaction_id`, with whatever content; nothing was added.',
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
  return {
    id: dto.transaction_id,
    date: dto.transaction_date,
    amount: dto.amount,
    type: dto.type,
    reason: dto.reason,
    reference: dto.reference,
    paymentType: dto.payment_type,
    displayNote: dto.display_note,
    note: dto.note,
    productCode: dto.product_code,
    lineItems: dto.line_items,
    taxItems: dto.tax_items,
    submitted: dto,
  };
}

export function toBookingRules(query: TransactionsQuery): BookingRules {
  return {
    checkPreviouslyAdded: query.check_previously_added,
    forceIntoOpenPeriod: query.force_add_to_current_statement,
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
        transaction_data: {
          ...toTransactionData(transaction),
          ...(moved && { transaction_date: moved.to, note: moved.note }),
          status: IMPORT_SUCCESS,
        },
      };
    }),
  };
}
