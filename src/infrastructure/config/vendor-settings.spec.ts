import { readEnvironment, StartError } from './env.js';
import { VENDOR_NAMES, VENDORS } from './vendors.js';

/** The settings of the keys and the addresses of all vendors. */
const KEYS = VENDOR_NAMES.map((name) => VENDORS[name].secret);
const ADDRESSES = VENDOR_NAMES.map((name) => `${name}_API_URL`);

describe('the settings of payment vendors', () => {
  it('default to no vendor, the vendors’ own addresses and ten seconds (P4, P5)', () => {
    expect(readEnvironment({})).toMatchObject({
      ...Object.fromEntries(KEYS.map((name) => [name, undefined])),
      STRIPE_API_URL: 'https://api.stripe.com',
      GOCARDLESS_API_URL: 'https://api.gocardless.com',
      PAYMENT_VENDOR_TIMEOUT_MS: 10_000,
    });
  });

  it.each([
    ['https://proxy.example:8443/', 'https://proxy.example:8443'],
    ['http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
    ['http://localhost', 'http://localhost'],
    ['http://[::1]:9000', 'http://[::1]:9000'],
  ])('accept the address %s (section 6)', (text, url) => {
    const settings = (value: string): Record<string, string> =>
      Object.fromEntries(ADDRESSES.map((name) => [name, value]));
    expect(readEnvironment(settings(text))).toMatchObject(settings(url));
  });

  it.each([
    ...['http://api.stripe.com', 'http://127.0.0.1.example', 'https://api.stripe.com/v1'],
    ...['https://key@api.stripe.com', 'ftp://127.0.0.1', 'api.stripe.com'],
  ])('reject the address %s, which would send the key unencrypted or elsewhere (section 6)', (text) => {
    expect(() => readEnvironment({ STRIPE_API_URL: text })).toThrow(StartError);
  });

  it.each(ADDRESSES)('never print a key that %s contains by mistake (section 6)', (name) => {
    const start = (): unknown => readEnvironment({ [name]: 'https://sk_live_1@api.stripe.com' });
    expect(start).toThrow(`${name} must be`);
    expect(start).not.toThrow('sk_live_1');
  });

  describe.each(KEYS)('with %s', (name) => {
    it.each(['with a space', 'line\nfeed', 'tab\tulator', 'delete\x7f', 'schlüssel', 'seven77'])(
      'may not be %j, which is not printed (section 6)',
      (text) => {
        expect(() => readEnvironment({ [name]: text })).toThrow(`${name} must be`);
        expect(() => readEnvironment({ [name]: text })).not.toThrow(text);
      },
    );

    it('may be any eight characters that a header can contain (section 6)', () => {
      expect(readEnvironment({ [name]: '!_~sk-12' })).toMatchObject({ [name]: '!_~sk-12' });
    });
  });

  it.each(['99', '10001', '1e3'])('reject %s milliseconds (P4)', (text) => {
    expect(() => readEnvironment({ PAYMENT_VENDOR_TIMEOUT_MS: text })).toThrow(
      'PAYMENT_VENDOR_TIMEOUT_MS must be a whole number from 100 to 10000',
    );
  });
});
