import type { AccountAccess } from '../ingest/account-access.js';
import type { WithSent } from '../ingest/item-columns.js';
import type { PAYMENT_INSTRUCTION } from '../ingest/kinds/payment-instruction.item.js';
import type { InstructionDetails } from './vendors/payment-vendor.js';

/** A payment instruction as sent, not yet confirmed by the vendor. */
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

/** The row that both queries return for a request. */
export interface InstructionRow extends AccountAccess {
  /** The platform's number of the account. */
  readonly service_account_number: string;
  /** The type of the account's existing instruction with the same vendor and reference; null when there was none. */
  readonly stored_type: string | null;
}
