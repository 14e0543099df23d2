import { IsObject } from 'class-validator';
import type { Type } from '@nestjs/common';
import { fieldError, type FieldError } from '../../infrastructure/errors/errors.js';
import { memberText, scanText } from '../../infrastructure/json/json-bytes.js';
import { parseJson, SIGNIFICANT_DIGITS_MAX } from '../../infrastructure/json/json.js';
import { payloadErrors } from '../../infrastructure/validation/payload-errors.js';
import { Optional, Satisfies } from '../../infrastructure/validation/satisfies.decorator.js';
import { NO_RUNTIME_LIMITS } from '../../infrastructure/validation/rules/runtime-limits.js';
import type { PlainRule } from '../../infrastructure/validation/rules/rule.js';
import { wrongType } from '../../infrastructure/validation/rules/violation.js';
import { forEachItem, type ItemName } from '../../infrastructure/item-names/item-names.js';
import { ITEMS } from '../../ingest/kinds/items.js';
import type { ControlTotals, WrittenControl } from '../counts/account-counts.types.js';
import { exactAmount } from './exact-amount.js';

const COUNT_MAX = 999_999_999_999_999;

/** A number of items. */
const count: PlainRule = {
  violation: (value) => {
    if (typeof value !== 'number') return wrongType(value, 'a whole number');
    if (value === Infinity) {
      return {
        code: 'max_digits',
        detail: `At most ${SIGNIFICANT_DIGITS_MAX} significant digits are allowed.`,
      };
    }
    if (!Number.isInteger(value)) return { code: 'invalid', detail: 'Expected a whole number.' };
    if (value < 0) return { code: 'min_value', detail: 'Expected a number that is not negative.' };
    return value > COUNT_MAX
      ? { code: 'max_value', detail: `The most that can be expected is ${COUNT_MAX}.` }
      : undefined;
  },
  schema: { type: 'integer', minimum: 0, maximum: COUNT_MAX },
};

/** Checks only that the value is a number. Its digits are read from the JSON text. */
const anyNumber: PlainRule = {
  violation: (value) => (typeof value === 'number' ? undefined : wrongType(value, 'a number')),
  schema: { type: 'number' },
};

class ExpectedTransactionsDto {
  @Optional()
  @Satisfies(count)
  count?: number;

  @Optional()
  @Satisfies(anyNumber)
  amount?: number;
}

class ControlDto {
  @Optional()
  @Satisfies(count)
  notes?: number;

  @Optional()
  @IsObject({ message: 'Expected an object.' })
  transactions?: object;

  @Optional()
  @Satisfies(count)
  historical_statements?: number;

  @Optional()
  @Satisfies(count)
  payment_instructions?: number;
}

/** The totals, or none if nothing is expected; or the errors, with their places in the line. */
export interface ControlReading {
  readonly control?: ControlTotals | undefined;
  readonly errors?: readonly FieldError[];
}

/**
 * Read the control totals of an account. Each part is optional; of the transactions, the count or the amount may be given alone.
 * If no part is given, nothing is expected. No number is rounded.
 *
 * @param text the JSON text of the member `control`; it must be valid and not deeply nested
 * Source: choice V6.
 */
export function readControl(text: string): ControlReading {
  const { hasLongNumber } = scanText(text);
  const value: unknown = hasLongNumber ? parseJson(Buffer.from(text)) : JSON.parse(text);
  const errors = errorsAt('control', ControlDto, value);
  const written = value as WrittenControl<number>;
  const { transactions } = written;
  let amount: string | null = null;
  if (errors.every(({ attr }) => attr !== 'control.transactions') && transactions !== undefined) {
    const found = errorsAt('control.transactions', ExpectedTransactionsDto, transactions);
    errors.push(...found);
    if (transactions.amount !== undefined && found.every(({ attr }) => attr !== AMOUNT)) {
      const exact = exactAmount(hasLongNumber ? amountText(text) : String(transactions.amount));
      if (typeof exact === 'string') amount = exact;
      else errors.push(fieldError(exact.code, AMOUNT, exact.detail));
    }
  }
  if (errors.length > 0) return { errors };
  const countOf = (name: ItemName): number | undefined => {
    const { section } = ITEMS[name];
    return section === 'transactions' ? transactions?.count : written[section];
  };
  const control = { ...forEachItem((name) => countOf(name) ?? null), amount };
  return { control: Object.values(control).every((part) => part === null) ? undefined : control };
}

const AMOUNT = 'control.transactions.amount';

/** The amount as written. It may have more digits than a double keeps. */
function amountText(control: string): string {
  return memberText(memberText(control, 'transactions') ?? '', 'amount') ?? '';
}

function errorsAt(path: string, type: Type<object>, value: unknown): FieldError[] {
  return payloadErrors(type, value, NO_RUNTIME_LIMITS).map((error) => ({
    ...error,
    attr: error.attr === '' ? path : `${path}.${error.attr}`,
  }));
}
