import { fieldError, validationError } from '../common/errors.js';
import type { InstructionDetails, InstructionKind } from './vendors/payment-vendor.js';

/** The types that determine which kind the vendor must have; every other type fits any kind. */
const KINDS: ReadonlyMap<string, InstructionKind> = new Map([
  ['CARD', 'card'],
  ['DIRECT_DEBIT', 'direct_debit'],
]);

/**
 * Go on only when the vendor's instruction is of the kind that the caller sent. A mandate booked as a card would be
 * charged in the wrong way months later, when nobody remembers the import.
 *
 * @param type a value of the catalogue `instruction_type`
 * @throws AppError `validation_error` with `payment_vendor_rejected`
 * Source: our choice, specification 2.6 leaves it open; choice P3.
 */
export function expectKindOf({ kind }: Pick<InstructionDetails, 'kind'>, type: string): void {
  const expected = KINDS.get(type);
  if (kind === undefined || expected === undefined || kind === expected) return;
  const detail = `The vendor's instruction is not of the type ${type}. Do not send the same request again.`;
  throw validationError([fieldError('payment_vendor_rejected', 'reference', detail)]);
}
