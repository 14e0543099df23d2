import type { AccountAccess } from '../ingest/account-access.js';
import type { WithSent } from '../ingest/item-columns.js';
import type { PAYMENT_INSTRUCTION } from '../ingest/kinds/payment-instruction.item.js';
import type { InstructionDetails } from './vendors/payment-vendor.js';

/** A payment instruction as it was sent; the vendor has yet to confirm it. */
export interface NewInstruction extends WithSent<typeof PAYMENT_INSTRUCTION> {
  /** A value of the catalogue `vendor`. */
  readonly vendor: string;
  /** The vendor's name for the instruction, up to 512 characters. */
  readonly reference: string;
  /** A value of the catalogue `instruction_type`. */
  readonly type: string;
}

/** An instruction that the vendor has confirmed. */
export interface VerifiedInstruction extends NewInstruction {
  readonly details: InstructionDetails;
  readonly verifiedAt: Date;
}

/** What both queries answer of a request. */
export interface InstructionRow extends AccountAccess {
  /** The platform's number of the account. */
  readonly service_account_number: string;
  /** The type of the account's instruction with the same vendor and reference; null when it had none. */
  readonly stored_type: string | null;
}
