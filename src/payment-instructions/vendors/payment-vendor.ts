/** The kind of an instruction, as far as it decides how money is collected. */
export type InstructionKind = 'card' | 'direct_debit' | 'other';

/** What the service stores of a vendor's answer. */
export interface InstructionDetails {
  /** Absent when the vendor does not distinguish kinds. */
  readonly kind?: InstructionKind;
  /** Stored as it is (docs/payment-vendors.md lists the names); never a card or account number. */
  readonly kept: Readonly<Record<string, string | number>>;
}

/** One call of a vendor. */
export interface VendorCall {
  /** 1 for the first try at a request. */
  readonly attempt: number;
  /** Aborted when the try has reached its time limit. */
  readonly signal: AbortSignal;
}

/** How a vendor is reached. */
export interface VendorConnection {
  /** Its API key or access token; one that only reads is enough. */
  readonly key: string;
  /** Scheme, host and port. */
  readonly url: string;
  /** For one call, from connecting to the last byte. */
  readonly timeoutMs: number;
}

/** A payment vendor. It makes one request for each call: the gateway adds retries, time limits and pauses. */
export interface PaymentVendor {
  /** Its value in the catalogue `vendor`. */
  readonly name: string;
  /** Loads what the calls need, before their time limit begins. */
  readonly prepare?: () => Promise<unknown>;
  /**
   * Look up an instruction, prepared.
   *
   * @param reference the vendor's name for it, any text of 1 to 512 characters
   * @returns nothing when the vendor has no such instruction
   * @throws VendorRefusal when a repeated call would be refused as well
   * @throws VendorUnavailable when a repeated call may succeed
   */
  readonly find: (reference: string, call: VendorCall) => Promise<InstructionDetails | undefined>;
}

/**
 * A permanent failure (choice P3): the vendor refuses the request or the credentials of the service, or its answer cannot
 * be read.
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

/** A temporary failure (choice P4): no connection, no answer in time, 5xx, 429. */
export class VendorUnavailable extends Error {}

/** The longest body that is read; a real answer has a few thousand bytes. */
export const BODY_BYTES_MAX = 1_048_576;

/** Temporary failures below 500: timed out, locked by another call, too many calls. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 409, 429]);

/** Whether a status is a temporary failure (choice P4). */
export function isTemporaryStatus(status: number): boolean {
  return status >= 500 || TEMPORARY.has(status);
}

/**
 * The failure that a status of 300 and above means.
 *
 * @param message for the log; it must not contain credentials
 */
export function failureOfStatus(
  status: number,
  message: string,
  options?: ErrorOptions,
): VendorRefusal | VendorUnavailable {
  if (isTemporaryStatus(status)) return new VendorUnavailable(message, options);
  const reason = status === 401 || status === 403 ? 'credentials' : 'refused';
  return new VendorRefusal(reason, message, options);
}

/**
 * Whether a text can be a vendor's identifier. It is checked before the text becomes part of an address, where a slash or
 * two dots would lead to another resource.
 */
export function isVendorId(reference: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(reference);
}
