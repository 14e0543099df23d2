import type Stripe from 'stripe';
import { fetchVendor, parseObject } from './fetch-vendor.js';
import {
  failureOfStatus,
  isVendorId,
  VendorRefusal,
  VendorUnavailable,
  type InstructionDetails,
  type PaymentVendor,
  type VendorConnection,
} from './payment-vendor.js';
import { COUNTRY, LAST_FOUR, VendorAnswer, WORD } from './vendor-answer.js';

/** Stripe's payment method types that collect from a bank account. */
const DIRECT_DEBITS: ReadonlySet<string> = new Set([
  'acss_debit',
  'au_becs_debit',
  'bacs_debit',
  'nz_bank_account',
  'payto',
  'sepa_debit',
  'us_bank_account',
]);

/**
 * Payment methods at Stripe (`pm_…`, and the older `card_…` and `src_…`, which Stripe answers as payment methods).
 *
 * The SDK makes a single call, without telemetry. The gateway handles retries.
 */
export class StripeVendor implements PaymentVendor {
  readonly name = 'STRIPE';
  private opened?: Promise<Stripe>;

  constructor(private readonly options: VendorConnection) {}

  prepare(): Promise<Stripe> {
    return (this.opened ??= open(this.options));
  }

  async find(reference: string): Promise<InstructionDetails | undefined> {
    if (!isVendorId(reference)) return undefined;
    const stripe = await this.prepare();
    let answer: unknown;
    try {
      answer = await stripe.paymentMethods.retrieve(reference);
    } catch (error) {
      const { errors } = await loadStripe();
      if (error instanceof errors.StripeError && error.code === 'resource_missing') return undefined;
      throw translate(error, errors);
    }
    return toDetails(new VendorAnswer(answer), reference);
  }
}

/** Loads the SDK on the first look-up, because loading takes half a second. */
async function loadStripe(): Promise<typeof Stripe> {
  return (await import('stripe')).default;
}

async function open({ key, url, timeoutMs }: VendorConnection): Promise<Stripe> {
  const Sdk = await loadStripe();
  const { protocol, hostname, port } = new URL(url);
  return new Sdk(key, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    timeout: timeoutMs,
    maxNetworkRetries: 0,
    telemetry: false,
    // The SDK's own HTTP client retries a call whose connection breaks, regardless of maxNetworkRetries.
    httpClient: Sdk.createFetchHttpClient(fetchObject),
  });
}

/**
 * `fetch` for the SDK. The SDK treats every body that is not JSON as the same failure, regardless of the status. A body that is
 * JSON but not an object makes it throw where the error cannot be caught.
 */
async function fetchObject(...request: Parameters<typeof fetch>): ReturnType<typeof fetch> {
  const { status, headers, text } = await fetchVendor('Stripe', ...request);
  if (!parseObject(text)) {
    throw new VendorRefusal('unreadable', `Stripe answered ${status} without a JSON object.`);
  }
  return new Response(text, { status, headers });
}

function translate(error: unknown, errors: typeof Stripe.errors): VendorRefusal | VendorUnavailable {
  // The SDK wraps errors that fetchObject throws.
  const cause = error instanceof errors.StripeConnectionError ? error.detail : error;
  if (cause instanceof VendorRefusal || cause instanceof VendorUnavailable) return cause;
  if (error instanceof errors.StripeError && error.statusCode !== undefined) {
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
