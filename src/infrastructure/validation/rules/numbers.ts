import { ERRORS_MAX } from '../../errors/errors.js';
import { SIGNIFICANT_DIGITS_MAX } from '../../json/json.js';
import { decimalDigits, isInHundredths } from '../../text/money.js';
import type { PlainRule, Rule } from './rule.js';
import { wrongType, type Violation } from './violation.js';
import { list } from './lists.js';

const AMOUNT_WHOLE_DIGITS_MAX = 12;
const AMOUNT_DECIMALS_MAX = 2;

/** The largest amount. The schema has no `multipleOf`: validators divide in binary and would reject 19.99, for example. */
const AMOUNT_MAX = 999_999_999_999.99;

/** An amount of money: up to 12 digits before the decimal point and two after it (choices X2, T13). */
export const amount: PlainRule = {
  violation: (value) => {
    if (typeof value !== 'number') return wrongType(value, 'a number');
    if (isInHundredths(value)) return undefined;
    if (!Number.isFinite(value)) return { code: 'max_digits' };
    const { whole, decimals } = decimalDigits(value);
    if (whole > AMOUNT_WHOLE_DIGITS_MAX) {
      return {
        code: 'max_digits',
        detail: `At most ${AMOUNT_WHOLE_DIGITS_MAX} digits before the decimal point are allowed.`,
      };
    }
    return decimals > AMOUNT_DECIMALS_MAX
      ? { code: 'max_decimal_places', detail: `At most ${AMOUNT_DECIMALS_MAX} decimal places are allowed.` }
      : undefined;
  },
  schema: {
    type: 'number',
    minimum: -AMOUNT_MAX,
    maximum: AMOUNT_MAX,
    description: `At most ${AMOUNT_DECIMALS_MAX} decimal places.`,
  },
};

const NUMBER_DECIMALS_MAX = 10;
/** A larger number has more digits as stored than as sent: 1e300 would take 301 bytes instead of 5. */
const NUMBER_WHOLE_DIGITS_MAX = 30;

/** A number stored exactly: up to 15 significant digits, 30 digits before the decimal point and ten after it (choices X2, T13). */
export const decimal: PlainRule = {
  violation: (value) => {
    if (typeof value !== 'number') return wrongType(value, 'a number');
    if (Math.abs(value) >= 10 ** NUMBER_WHOLE_DIGITS_MAX) {
      return {
        code: 'max_digits',
        detail: `At most ${NUMBER_WHOLE_DIGITS_MAX} digits before the decimal point are allowed.`,
      };
    }
    if (isInHundredths(value) || Number.isInteger(value)) return undefined;
    if (decimalDigits(value).decimals <= NUMBER_DECIMALS_MAX) return undefined;
    return {
      code: 'max_decimal_places',
      detail: `At most ${NUMBER_DECIMALS_MAX} decimal places are allowed.`,
    };
  },
  schema: {
    type: 'number',
    description: `At most ${SIGNIFICANT_DIGITS_MAX} significant digits, ${NUMBER_WHOLE_DIGITS_MAX} digits before the decimal point and ${NUMBER_DECIMALS_MAX} after it.`,
  },
};

/** A list of up to `max` numbers, each validated like {@link decimal}. */
export function decimals({ max }: { max: number }): Rule {
  const length = list({ max });
  return {
    itemsAllowed: length.itemsAllowed,
    violation: (value, limits) => length.violation(value, limits) ?? refusedItems(value as unknown[]),
    schema: { ...length.schema, items: decimal.schema },
  };
}

/** Returns at most one more than {@link ERRORS_MAX}, because a response lists no more. */
function refusedItems(values: readonly unknown[]): Violation[] | undefined {
  let refused: Violation[] | undefined;
  for (let index = 0; index < values.length && (refused?.length ?? 0) <= ERRORS_MAX; index += 1) {
    const violation = decimal.violation(values[index]);
    if (violation) (refused ??= []).push({ ...violation, index });
  }
  return refused;
}
