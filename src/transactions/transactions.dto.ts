import { ApiProperty } from '@nestjs/swagger';
import { AccountRefDto } from '../accounts/account-ref.js';
import { LoadQuery } from '../accounts/load-query.js';
import { AppError, fieldError, type FieldError } from '../common/errors.js';
import { formatAmount } from '../common/money.js';
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
  text,
  truth,
} from '../common/validation/rules.js';
import type {
  BookingResult,
  BookingRules,
  TransactionDraft,
  TransactionRefusal,
} from './transactions.service.js';

const TYPES = ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'] as const;
const UNIT_TYPES = ['PROPORTION', 'CURRENCY_PER_KWH'] as const;

const NOTE_MAX = 5_000;
const REFERENCE_MAX = 512;
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
export class LineItemDto {
  @Omittable(identifier)
  rate_band?: string;

  @Required(calendarDay)
  start_date: string;

  @Required(calendarDay)
  end_date: string;

  @Required(decimalNumber)
  number_of_units: number;

  @Required(decimalNumber)
  net_amount: number;

  @Omittable(decimalNumber)
  price_per_unit?: number;

  @Omittable(list({ max: UNITS_MAX, each: decimalNumber }))
  units?: number[];
}

/** One tax of a supply charge (specification 2.4). */
export class TaxItemDto {
  @Required(decimalNumber)
  amount: number;

  @Required(identifier)
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
export class TransactionDto {
  @Required(identifier)
  transaction_id: string;

  @Required(calendarDay)
  transaction_date: string;

  @Required(amount)
  amount: number;

  @Required(oneOf(TYPES))
  type: (typeof TYPES)[number];

  @Omittable(fromCatalogue('reason'))
  reason?: string;

  @Omittable(text({ max: REFERENCE_MAX }))
  reference?: string;

  @Omittable(fromCatalogue('payment_type'))
  payment_type?: string;

  @Omittable(text({ max: NOTE_MAX, blankAllowed: true }))
  display_note?: string;

  @Omittable(text({ max: NOTE_MAX, blankAllowed: true }))
  note?: string;

  @Omittable(identifier)
  product_code?: string;

  @OmittableList(() => LineItemDto, { max: LINE_ITEMS_MAX })
  line_items?: LineItemDto[];

  @OmittableList(() => TaxItemDto, { max: TAX_ITEMS_MAX })
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
export class CreateTransactionsDto extends AccountRefDto {
  @RequiredList(() => TransactionDto)
  transactions: TransactionDto[];
}

/** The query parameters of `POST transactions/create/` (specification 4.2). */
export class TransactionsQuery extends LoadQuery {
  @QueryBoolean()
  @Omittable(
    described(
      truth,
      'Skip transactions whose transaction_id the account has. false adds them once more, as often as they are sent.',
    ),
  )
  check_previously_added = true;

  @QueryBoolean()
  @Omittable(
    described(
      truth,
      'Move a transaction_date outside the open statement period to its nearest day. false refuses the whole request.',
    ),
  )
  force_add_to_current_statement = true;
}

/** A transaction as answers carry it: as it came, the amount as text with two decimals (contract X9). */
export type TransactionDataDto = Omit<TransactionDto, 'amount'> & { amount: string; status?: string };

/** One element of `results` (specification 4.2). */
export class TransactionResultDto {
  @ApiProperty({ enum: ['TRANSACTION_ADDED_TO_ACCOUNT', 'TRANSACTION_ALREADY_EXISTS'] })
  status: 'TRANSACTION_ADDED_TO_ACCOUNT' | 'TRANSACTION_ALREADY_EXISTS';

  @ApiProperty({
    type: Object,
    description: 'The transaction as it was sent, its amount as text, and a status',
  })
  transaction_data: TransactionDataDto;
}

/** The answer of `POST transactions/create/`. */
export class TransactionResultsDto {
  @ApiProperty({ type: [TransactionResultDto] })
  results: TransactionResultDto[];
}

export function toTransactionDraft(dto: TransactionDto): TransactionDraft {
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
  };
}

export function toBookingRules(query: TransactionsQuery): BookingRules {
  return {
    checkPreviouslyAdded: query.check_previously_added,
    forceIntoOpenPeriod: query.force_add_to_current_statement,
  };
}

/**
 * @param dtos the payload's transactions, in the order of the outcomes
 * @throws AppError `transaction_import_error` when the request was not booked
 */
export function toAnswer(dtos: readonly TransactionDto[], result: BookingResult): TransactionResultsDto {
  if ('refusal' in result) throw toTransactionImportError(dtos, result.refusal);
  const results = dtos.map((dto, index): TransactionResultDto => {
    const { isNew = false, moved } = result.outcomes[index] ?? {};
    const data = toTransactionData(dto);
    if (moved) Object.assign(data, { transaction_date: moved.to, note: moved.note });
    data.status = 'TRANSACTION_IMPORT_SUCCESS';
    return {
      status: isNew ? 'TRANSACTION_ADDED_TO_ACCOUNT' : 'TRANSACTION_ALREADY_EXISTS',
      transaction_data: data,
    };
  });
  return { results };
}

function toTransactionData(dto: TransactionDto): TransactionDataDto {
  const { ...data } = dto;
  return Object.assign(data, { amount: formatAmount(dto.amount) });
}

/** The failure of a request with transactions outside the open statement period (specification 7.2; contract X8). */
function toTransactionImportError(
  dtos: readonly TransactionDto[],
  { positions, firstDay, lastDay }: TransactionRefusal,
): AppError {
  const failing = positions.flatMap((position) => {
    const dto = dtos[position];
    return dto ? [{ position, dto }] : [];
  });
  const explain = ({ transaction_id, transaction_date }: TransactionDto): string =>
    `Transaction ${transaction_id} of ${transaction_date} lies outside the open statement period from ${firstDay} to ${lastDay}.`;
  const first = failing[0]?.dto;
  return new AppError('transaction_import_error', {
    extra: {
      status: 'TRANSACTION_IMPORT_ERROR',
      error_detail: first && explain(first),
      transaction_data: first && toTransactionData(first),
    },
    errors: failing.map(({ position, dto }) =>
      fieldError('outside_open_statement_period', `transactions.${position}.transaction_date`, explain(dto)),
    ),
  });
}
