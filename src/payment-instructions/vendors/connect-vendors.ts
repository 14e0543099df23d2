import type { Environment } from '../../infrastructure/config/settings.js';
import { VENDOR_NAMES, VENDORS, type VendorName } from '../../infrastructure/config/vendors.js';
import { GoCardlessVendor } from './gocardless-vendor.js';
import type { PaymentVendor, VendorConnection } from './payment-vendor.js';
import { sandboxVendor } from './sandbox-vendor.js';
import { StripeVendor } from './stripe-vendor.js';
import { tryTimeoutMs } from './vendor-gateway.js';

/** The client of each vendor. */
const CLIENTS: Readonly<Record<VendorName, new (connection: VendorConnection) => PaymentVendor>> = {
  STRIPE: StripeVendor,
  GOCARDLESS: GoCardlessVendor,
};

/**
 * The available vendors: the sandbox if it is enabled, and the others if their credentials are configured.
 *
 * Source: choices P5, P6.
 */
export function connectVendors(environment: Environment): PaymentVendor[] {
  const timeoutMs = tryTimeoutMs(environment.PAYMENT_VENDOR_TIMEOUT_MS);
  const configured = VENDOR_NAMES.flatMap((name) => {
    const key = environment[VENDORS[name].secret];
    const url = environment[`${name}_API_URL` as const];
    return key === undefined ? [] : [new CLIENTS[name]({ key, url, timeoutMs })];
  });
  return hasSandbox(environment) ? [sandboxVendor, ...configured] : configured;
}

/**
 * The sandbox confirms payment instructions that do not exist at any vendor. It is therefore enabled by default only with the
 * embedded database; with an external one, as in production, it must be enabled explicitly.
 */
function hasSandbox({ SANDBOX_VENDOR, DATABASE_URL }: Environment): boolean {
  return SANDBOX_VENDOR === undefined ? DATABASE_URL === undefined : SANDBOX_VENDOR === 'on';
}
