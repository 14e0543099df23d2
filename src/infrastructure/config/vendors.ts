/**
 * The payment vendors besides SANDBOX, by their values in the catalogue `vendor`. The settings, the first values of the catalogue and
 * docs/payment-vendors.md follow; the client of each is in src/payment-instructions/vendors/connect-vendors.ts. From 1.0.0 on a new
 * vendor also needs a migration that adds its value to the catalogues of existing databases.
 *
 * `secret` is the setting of the API key or access token, without which the vendor is not configured. `url` is the default of the
 * setting `NAME_API_URL`. `reference` and `stored` are for the documentation: what a reference is, and which details of an answer the
 * client keeps.
 */
export const VENDORS = {
  STRIPE: {
    secret: 'STRIPE_API_KEY',
    secretMeaning: 'Secret key',
    url: 'https://api.stripe.com',
    aboutUrl: '',
    reference: 'a payment method: `pm_…`, or the older `card_…` and `src_…`',
    stored: {
      'a card at Stripe':
        '`kind` (`card`), `method`, `brand`, `last_four`, `expiry_month`, `expiry_year`, `funding`, `country` if present',
      'a debit from a bank account at Stripe':
        '`kind` (`direct_debit`), `method` (for example `sepa_debit`), `last_four` and `country` if present',
      'another payment method at Stripe': '`kind` (`other`), `method`',
    },
  },
  GOCARDLESS: {
    secret: 'GOCARDLESS_ACCESS_TOKEN',
    secretMeaning: 'Access token',
    url: 'https://api.gocardless.com',
    aboutUrl: '; its test system is https://api-sandbox.gocardless.com',
    reference: 'a mandate: `MD…`',
    stored: {
      'a mandate at GoCardless':
        '`kind` (`direct_debit`), `scheme`, `status`, `mandate_type` and `next_possible_charge_date` if present',
    },
  },
} as const;

export type VendorName = keyof typeof VENDORS;

export const VENDOR_NAMES = Object.keys(VENDORS) as VendorName[];
