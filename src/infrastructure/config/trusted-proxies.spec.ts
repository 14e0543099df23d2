import fc from 'fast-check';
import { fastify } from 'fastify';
import { readEnvironment, StartError } from './env.js';

const address = fc.oneof(fc.ipV4(), fc.ipV6());
const network = fc.oneof(
  address,
  fc.constantFrom('loopback', 'linklocal', 'uniquelocal'),
  fc.tuple(fc.ipV4(), fc.integer({ min: 1, max: 32 })).map((parts) => parts.join('/')),
  fc.tuple(fc.ipV6(), fc.integer({ min: 1, max: 128 })).map((parts) => parts.join('/')),
);

describe('the trusted proxies', () => {
  it('may be any addresses and networks, which Fastify accepts (section 6)', () => {
    fc.assert(
      fc.property(fc.array(network, { minLength: 1, maxLength: 3 }), (list) => {
        const { TRUSTED_PROXIES } = readEnvironment({ TRUSTED_PROXIES: list.join(', ') });
        expect(TRUSTED_PROXIES).toEqual(list);
        expect(() => fastify({ trustProxy: TRUSTED_PROXIES! })).not.toThrow();
      }),
    );
  });

  it.each([
    ...['foo', 'true', '1', 'Loopback', 'proxy.example', ',', 'loopback/8', '[::1]', '::/129'],
    ...['10.0.0.1,', '10.0.0.1;10.0.0.2', '10.0.0.256', '10.0.0.1:80', '10.0.0.0/', '10.0.0.0/0'],
    ...['10.0.0.0/33', '10.0.0.0/40', '10.0.0.0/8/8', '10.0.0.0/1e1'],
  ])('may not be %s: the start ends with a sentence (section 6)', (text) => {
    const start = (): unknown => readEnvironment({ TRUSTED_PROXIES: text });
    expect(start).toThrow(StartError);
    expect(start).toThrow(/^TRUSTED_PROXIES must be .*\.$/);
    expect(start).toThrow(JSON.stringify(text));
  });
});
