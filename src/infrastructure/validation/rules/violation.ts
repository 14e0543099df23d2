import type { FieldErrorCode } from '../../errors/errors.js';

/** Why a value is rejected: a stable code, and a sentence for people if the code's default text does not fit. */
export interface Violation {
  readonly code: FieldErrorCode;
  readonly detail?: string;
  /** The index of the rejected item, if the value is a list of plain values. */
  readonly index?: number;
}

/** A required field that was not sent. */
export const REQUIRED: Violation = { code: 'required' };

/** `null` instead of a value (choice T9). */
export const NULL: Violation = { code: 'null' };

/**
 * The violation of a value with the wrong JSON type.
 *
 * @param expected the expected type, with its article
 */
export function wrongType(value: unknown, expected: string): Violation {
  return value === null ? NULL : { code: 'invalid', detail: `Expected ${expected}.` };
}
