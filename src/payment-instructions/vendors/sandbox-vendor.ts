import { VendorRefusal, VendorUnavailable, type PaymentVendor, type VendorCall } from './payment-vendor.js';

const FLAKY_FAILURES = 2;

/**
 * A test vendor that needs no external account. The prefix of the reference decides the answer, which fits every type.
 *
 * Source: choice P6.
 */
export const sandboxVendor: PaymentVendor = {
  name: 'SANDBOX',
  find: async (reference, call) => {
    if (reference.startsWith('ok_')) return { kept: {} };
    if (reference.startsWith('rejected_')) {
      throw new VendorRefusal('refused', 'The sandbox rejects on purpose.');
    }
    if (reference.startsWith('flaky_')) {
      if (call.attempt > FLAKY_FAILURES) return { kept: {} };
      throw new VendorUnavailable('The sandbox fails on purpose.');
    }
    return reference.startsWith('down_') ? neverAnswer(call) : undefined;
  },
};

function neverAnswer({ signal }: VendorCall): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(new VendorUnavailable('The sandbox does not answer, on purpose.'));
    });
  });
}
