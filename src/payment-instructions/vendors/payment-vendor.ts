/** What sort of thing an instruction is, as far as it decides how money is collected. */
export type InstructionKind = 'card' | 'direct_debit' | 'other';

/** What a vendor says of an instruction and the service writes down. */
export interface InstructionDetails {
  /** Absent when the vendor makes no difference between kinds. */
  readonly kind?: InstructionKind;
  /** Kept as it is (docs/payment-vendors.md lists the names); never a card or account number. */
  readonly kept: Readonly<Record<string, string | number>>;
}

/** One try at asking a vendor. */
export interface VendorCall {
  /** 1 for the first try at a request. */
  readonly attempt: number;
  /** Aborted when nobody waits for this try any more. */
  readonly signal: AbortSignal;
}

/** A payment vendor. It is asked once per call: tries, time and pauses are the gateway's business. */
export interface PaymentVendor {
  /** Its value in the catalogue `vendor`. */
  readonly name: string;
  /**
   * Look an instruction up.
   *
   * @param reference the vendor's name for it, any text of 1 to 512 characters
   * @returns nothing when the vendor has no such instruction
   * @throws VendorRefusal when the same question will always be refused
   * @throws VendorUnavailable when it may be answered another time
   */
  readonly find: (reference: string, call: VendorCall) => Promise<InstructionDetails | undefined>;
}

/**
 * A failure that repeating does not mend (contract P3): the vendor refuses the question, or refuses our credentials, or
 * its answer cannot be read.
 */
export class VendorRefusal extends Error {
  constructor(
    readonly reason: 'refused' | 'credentials' | 'unreadable',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A failure that may be over at the next try (contract P4): no connection, no answer in time, 5xx, 429. */
export class VendorUnavailable extends Error {}

/** Longest body of an answer; a true one has a few thousand bytes. What is longer is not read to its end. */
export const BODY_BYTES_MAX = 1_048_576;

/** Answers below 500 that say "not now": timed out, locked by another call, too many calls. */
const NOT_NOW: ReadonlySet<number> = new Set([408, 409, 429]);

/** Whether a status tells of a failure that may be over at the next try (contract P4). */
export function isPassingStatus(status: number): boolean {
  return status >= 500 || NOT_NOW.has(status);
}

/**
 * The failure that a status of 400 and above stands for.
 *
 * @param message for the log; it must hold nothing of the credentials
 */
export function failureOfStatus(
  status: number,
  message: string,
  options?: ErrorOptions,
): VendorRefusal | VendorUnavailable {
  if (isPassingStatus(status)) return new VendorUnavailable(message, options);
  const reason = status === 401 || status === 403 ? 'credentials' : 'refused';
  return new VendorRefusal(reason, message, options);
}

/**
 * Whether a text can be a vendor's identifier. It is asked before the text becomes part of an address, where a slash or
 * two dots would lead to another resource; what is refused here exists at no vendor.
 */
export function isVendorId(reference: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(reference);
}
