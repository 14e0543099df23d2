import type { Environment } from '../../infrastructure/config/settings.js';
import { GoCardlessVendor } from './gocardless-vendor.js';
import type { PaymentVendor } from './payment-vendor.js';
import { sandboxVendor } from './sandbox-vendor.js';
import { StripeVendor } from './stripe-vendor.js';
import { tryTimeoutMs } from './vendor-gateway.js';

/**
 * The available vendors: the sandbox if it is enabled, and the others if their credentials are configured.
 *
 * Source: choices P5, P6.
 */
export function connectVendors(environment: Environment): PaymentVendor[] {
  const { STRIPE_API_KEY, STRIPE_API_URL, GOCARDLESS_ACCESS_TOKEN, GOCARDLESS_API_URL } = environment;
  const timeoutMs = tryTimeoutMs(environment.PAYMENT_VENDOR_TIMEOUT_MS);
  const vendors: PaymentVendor[] = hasSandbox(environment) ? [sandboxVendor] : [];
  if (STRIPE_API_KEY !== undefined) {
    vendors.push(new StripeVendor({ key: STRIPE_API_KEY, url: STRIPE_API_URL, timeoutMs }));
  }
  if (GOCARDLESS_ACCESS_TOKEN !== undefined) {
    vendors.push(new GoCardlessVendor({ key: GOCARDLESS_ACCESS_TOKEN, url: GOCARDLESS_API_URL, timeoutMs }));
  }
  return vendors;
}

/** The sandbox confirms instructions that no vendor holds. With an external database, as in production, it must be enabled explicitly. */
function hasSandbox({ SANDBOX_VENDOR, DATABASE_URL }: Environment): boolean {
  return SANDBOX_VENDOR === undefined ? DATABASE_URL === undefined : SANDBOX_VENDOR === 'on';
}
