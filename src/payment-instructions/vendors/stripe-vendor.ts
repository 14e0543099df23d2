import Stripe from 'stripe';
import { COUNTRY, LAST_FOUR, VendorAnswer, WORD } from './vendor-answer.js';
import {
  BODY_BYTES_MAX,
  failureOfStatus,
  isPassingStatus,
  isVendorId,
  VendorRefusal,
  VendorUnavailable,
  type InstructionDetails,
  type PaymentVendor,
} from './payment-vendor.js';

export interface StripeOptions {
  /** Secret or restricted key; a restricted one needs to read payment methods only. */
  readonly key: string;
  /** Scheme, host and port. */
  readonly url: string;
  /** For one call, from connecting to the last byte. */
  readonly timeoutMs: number;
}

/** Stripe's types of payment methods that collect from a bank account. */
const DIRECT_DEBITS: ReadonlySet<string> = new Set([
  'acss_debit',
  'au_becs_debit',
  'bacs_debit',
  'nz_bank_account',
  'sepa_debit',
  'us_bank_account',
]);

/**
 * Payment methods at Stripe (`pm_…`, and the older `card_…` and `src_…`, which Stripe answers as payment methods).
 *
 * The SDK calls once only, without telemetry: the gateway decides about further tries.
 */
export class StripeVendor implements PaymentVendor {
  readonly name = 'STRIPE';
  private readonly stripe: Stripe;

  constructor({ key, url, timeoutMs }: StripeOptions) {
    const { protocol, hostname, port } = new URL(url);
    this.stripe = new Stripe(key, {
      protocol: protocol === 'http:' ? 'http' : 'https',
      host: hostname,
      port: port || (protocol === 'http:' ? 80 : 443),
      timeout: timeoutMs,
      maxNetworkRetries: 0,
      telemetry: false,
      // The SDK's own connections are tried again when they break, whatever the number of retries says.
      httpClient: Stripe.createFetchHttpClient(fetchObject),
    });
  }

  async find(reference: string): Promise<InstructionDetails | undefined> {
    if (!isVendorId(reference)) return undefined;
    let answer: unknown;
    try {
      answer = await this.stripe.paymentMethods.retrieve(reference);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeError && error.code === 'resource_missing') return undefined;
      throw translate(error);
    }
    return toDetails(new VendorAnswer(answer), reference);
  }
}

/**
 * `fetch`, made safe for the SDK: it takes every body that is not JSON for the same failure, whatever the status, and a
 * body that is JSON but no object breaks it in a place where nobody can catch the error. What is not Stripe's own answer,
 * a redirection or a body without end, is not followed.
 */
async function fetchObject(...request: Parameters<typeof fetch>): ReturnType<typeof fetch> {
  const [address, options] = request;
  const response = await fetch(address, { ...options, redirect: 'manual' });
  const { status, headers } = response;
  if (isPassingStatus(status)) {
    await response.body?.cancel();
    throw failureOfStatus(status, `Stripe answered with the status ${status}.`);
  }
  const text = await shortText(response);
  if (!isJsonObject(text)) {
    throw new VendorRefusal(
      'unreadable',
      `Stripe answered ${status} with something else than a JSON object.`,
    );
  }
  return new Response(text, { status, headers });
}

/** @throws VendorUnavailable when the body is longer than any that could be read */
async function shortText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new VendorUnavailable('Stripe answered with a body that does not end.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

function translate(error: unknown): VendorRefusal | VendorUnavailable {
  // What fetchObject threw comes back inside of the SDK's own error.
  const cause = error instanceof Stripe.errors.StripeConnectionError ? error.detail : error;
  if (cause instanceof VendorRefusal || cause instanceof VendorUnavailable) return cause;
  if (error instanceof Stripe.errors.StripeError && error.statusCode !== undefined) {
    return failureOfStatus(error.statusCode, `Stripe answered ${error.statusCode} (${error.type}).`);
  }
  return new VendorUnavailable('There is no connection to Stripe.', { cause });
}

function toDetails(answer: VendorAnswer, reference: string): InstructionDetails {
  answer.text('object', /^payment_method$/);
  answer.text('id', new RegExp(`^${reference}$`));
  const method = answer.text('type', WORD);
  if (method === 'card') return toCard(answer.part('card'));
  if (DIRECT_DEBITS.has(method)) return toDirectDebit(method, answer.part(method));
  return { kind: 'other', kept: { method } };
}

function toCard(card: VendorAnswer): InstructionDetails {
  const country = card.optionalText('country', COUNTRY);
  return {
    kind: 'card',
    kept: {
      method: 'card',
      brand: card.text('brand', WORD),
      last_four: card.text('last4', LAST_FOUR),
      expiry_month: card.wholeNumber('exp_month', 1, 12),
      expiry_year: card.wholeNumber('exp_year', 2000, 9999),
      funding: card.text('funding', WORD),
      ...(country !== undefined && { country }),
    },
  };
}

function toDirectDebit(method: string, account: VendorAnswer): InstructionDetails {
  const lastFour = account.optionalText('last4', LAST_FOUR);
  const country = account.optionalText('country', COUNTRY);
  return {
    kind: 'direct_debit',
    kept: {
      method,
      ...(lastFour !== undefined && { last_four: lastFour }),
      ...(country !== undefined && { country }),
    },
  };
}
