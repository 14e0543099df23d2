import type { FieldErrorCode } from '../../errors/errors.js';

/** Why a value is refused: a stable code, and a sentence for people where the code's own does not do. */
export interface Violation {
  readonly code: FieldErrorCode;
  readonly detail?: string;
  /** The position of the refused item, when the value is a list of plain values. */
  readonly index?: number;
}

/** A required field that was not sent. */
export const REQUIRED: Violation = { code: 'required' };

/** `null` in the place of a value (choice T9). */
export const NULL: Violation = { code: 'null' };

/**
 * The violation of a value of another JSON type.
 *
 * @param expected what the value must be, with its article
 */
export function wrongType(value: unknown, expected: string): Violation {
  return value === null ? NULL : { code: 'invalid', detail: `Expected ${expected}.` };
}
