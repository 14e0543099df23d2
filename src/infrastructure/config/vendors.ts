/** What an operator sets for a payment vendor. The setting of its address is `NAME_API_URL`. */
export interface VendorSettings {
  /** The setting of its API key or access token. Without a value the vendor is not configured. */
  readonly secret: string;
  /** Words for the secret, at the beginning of a sentence. */
  readonly secretMeaning: string;
  /** The default of its address. */
  readonly url: string;
  /** More about the address, for the documentation. */
  readonly aboutUrl?: string;
}

/**
 * The payment vendors besides SANDBOX, by their values in the catalogue `vendor`. The settings, the first values of the catalogue and
 * docs/payment-vendors.md follow; the client of each is in src/payment-instructions/vendors/connect-vendors.ts. From 1.0.0 on a new
 * vendor also needs a migration that adds its value to the catalogues of existing databases.
 */
export const VENDORS = {
  STRIPE: {
    secret: 'STRIPE_API_KEY',
    secretMeaning: 'Secret key',
    url: 'https://api.stripe.com',
  },
  GOCARDLESS: {
    secret: 'GOCARDLESS_ACCESS_TOKEN',
    secretMeaning: 'Access token',
    url: 'https://api.gocardless.com',
    aboutUrl: 'its test system is https://api-sandbox.gocardless.com',
  },
} as const satisfies Readonly<Record<string, VendorSettings>>;

export type VendorName = keyof typeof VENDORS;

export const VENDOR_NAMES = Object.keys(VENDORS) as VendorName[];
