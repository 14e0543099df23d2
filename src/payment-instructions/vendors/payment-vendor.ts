/** The kind of an instruction, which decides how money is collected. */
export type InstructionKind = 'card' | 'direct_debit' | 'other';

/** The part of a vendor's answer that the service stores. */
export interface InstructionDetails {
  /** Absent when the vendor does not distinguish kinds. */
  readonly kind?: InstructionKind;
  /** Stored unchanged (docs/payment-vendors.md lists the names). Never contains a card or account number. */
  readonly kept: Readonly<Record<string, string | number>>;
}

/** One call to a vendor. */
export interface VendorCall {
  /** 1 for the first try of a request. */
  readonly attempt: number;
  /** Aborted when the try times out. */
  readonly signal: AbortSignal;
}

/** How to connect to a vendor. */
export interface VendorConnection {
  /** The API key or access token. Read access is enough. */
  readonly key: string;
  /** Scheme, host and port. */
  readonly url: string;
  /** Timeout of one call, from connecting to the last byte. */
  readonly timeoutMs: number;
}

/** A payment vendor. Each call makes one request; the gateway adds retries, timeouts and backoff. */
export interface PaymentVendor {
  /** Its value in the catalogue `vendor`. */
  readonly name: string;
  /** Loads dependencies of the calls before their timeout starts. */
  readonly prepare?: () => Promise<unknown>;
  /**
   * Look up an instruction. Call `prepare` first.
   *
   * @param reference the vendor's name for the instruction, any text of 1 to 512 characters
   * @returns undefined when the vendor has no such instruction
   * @throws VendorRefusal when a retry would be refused as well
   * @throws VendorUnavailable when a retry may succeed
   */
  readonly find: (reference: string, call: VendorCall) => Promise<InstructionDetails | undefined>;
}

/**
 * A permanent failure (choice P3): the vendor refuses the request or the service's credentials, or its answer cannot be
 * read.
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

/** Longest body to read. A real answer has a few thousand bytes. */
export const BODY_BYTES_MAX = 1_048_576;

/** Temporary failures below 500: timed out, locked by another call, too many calls. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 409, 429]);

/** Whether a status is a temporary failure (choice P4). */
export function isTemporaryStatus(status: number): boolean {
  return status >= 500 || TEMPORARY.has(status);
}

/**
 * The failure that a status of 300 or above indicates.
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
 * Whether a text can be a vendor's identifier. This is checked before the text becomes part of a URL, where a slash or two
 * dots would lead to another resource.
 */
export function isVendorId(reference: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(reference);
}
