import type { DoorAnswer } from '../imports/account-access.js';
import type { InstructionDetails } from './vendors/payment-vendor.js';

/** A payment instruction as the caller names it; the vendor has yet to confirm it. */
export interface NewInstruction {
  /** A value of the catalogue `vendor`. */
  readonly vendor: string;
  /** The vendor's name for the instruction, up to 512 characters. */
  readonly reference: string;
  /** A value of the catalogue `instruction_type`. */
  readonly type: string;
}

/** What both statements say of the account. */
export interface InstructionAnswer extends DoorAnswer {
  /** The platform's number; null while the account is not imported. */
  readonly service_account_number: string | null;
}

/** An instruction that the vendor has confirmed. */
export interface VerifiedInstruction extends NewInstruction {
  readonly details: InstructionDetails;
  readonly verifiedAt: Date;
}
