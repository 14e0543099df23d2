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
import { VendorAnswer, WORD } from './vendor-answer.js';

/** The version of the API that {@link GoCardlessVendor} reads. */
const API_VERSION = '2015-07-06';

/**
 * Mandates at GoCardless (`MD…`).
 *
 * Uses `fetch`, because the SDK has no options for the URL, the timeout, its retries or the length of a body, and reports
 * status 500 for every answer that is not in its own format.
 */
export class GoCardlessVendor implements PaymentVendor {
  readonly name = 'GOCARDLESS';

  constructor(private readonly options: VendorConnection) {}

  async find(reference: string): Promise<InstructionDetails | undefined> {
    if (!isVendorId(reference)) return undefined;
    const { key, url, timeoutMs } = this.options;
    const { status, text } = await fetchVendor('GoCardless', new URL(`/mandates/${reference}`, url), {
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${key}`,
        'gocardless-version': API_VERSION,
      },
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((cause: unknown) => {
      if (cause instanceof VendorUnavailable) throw cause;
      throw new VendorUnavailable('There is no connection to GoCardless.', { cause });
    });
    const body = parseObject(text);
    if (status >= 300) {
      if (isMissing(body)) return undefined;
      throw failureOfStatus(status, `GoCardless answered ${status}.`);
    }
    if (!body) throw new VendorRefusal('unreadable', `GoCardless answered ${status} without a JSON object.`);
    return toDetails(new VendorAnswer(body).part('mandates'), reference);
  }
}

/** A 404 can have several reasons. Only this one means that the mandate does not exist. */
function isMissing(body: object | undefined): boolean {
  const errors = (body as { error?: { errors?: unknown } | null } | undefined)?.error?.errors;
  if (!Array.isArray(errors)) return false;
  return errors.some((error: { reason?: unknown } | null) => error?.reason === 'resource_not_found');
}

function toDetails(mandate: VendorAnswer, reference: string): InstructionDetails {
  mandate.text('id', new RegExp(`^${reference}$`));
  const mandateType = mandate.optionalText('mandate_type', WORD);
  const chargeableFrom = mandate.optionalText('next_possible_charge_date', /^\d{4}-\d\d-\d\d$/);
  return {
    kind: 'direct_debit',
    kept: {
      scheme: mandate.text('scheme', WORD),
      status: mandate.text('status', WORD),
      ...(mandateType !== undefined && { mandate_type: mandateType }),
      ...(chargeableFrom !== undefined && { next_possible_charge_date: chargeableFrom }),
    },
  };
}
