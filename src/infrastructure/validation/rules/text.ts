import type { PlainRule } from './rule.js';
import { wrongType } from './violation.js';

/**
 * Text without NUL characters and lone surrogates.
 *
 * @param limits `max` in Unicode code points
 * Source: choice T14.
 */
export function text(limits: { max: number; blankAllowed?: boolean }): PlainRule {
  const { max, blankAllowed = false } = limits;
  return {
    violation: (value) => {
      if (typeof value !== 'string') return wrongType(value, 'a string');
      if (value === '') return blankAllowed ? undefined : { code: 'blank' };
      if (!isStorable(value)) {
        return { code: 'invalid', detail: 'The text contains a NUL character or a lone surrogate.' };
      }
      return isLonger(value, max)
        ? { code: 'max_length', detail: `At most ${max} characters are allowed.` }
        : undefined;
    },
    schema: { type: 'string', maxLength: max, ...(blankAllowed ? {} : { minLength: 1 }) },
  };
}

/** A code or number that identifies something: 1 to 128 characters, compared exactly (choice T14). */
export const identifier = text({ max: 128 });

/** The reference of a payment at a bank or vendor (choice T14). */
export const reference = text({ max: 512 });

function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/** Whether a text has more than `max` code points. They are counted only if the UTF-16 length does not decide. */
function isLonger(value: string, max: number): boolean {
  if (value.length <= max) return false;
  if (value.length > 2 * max) return true;
  return Array.from(value).length > max;
}
