import type { FastifyRequest } from 'fastify';
import { SessionCookies } from './session-cookies.js';

const [FIRST, SECOND] = ['a first key that is long enough for it', 'a second key that is long enough'];
const SECRET = 's'.repeat(43);

const withKeys = (...keys: string[]): SessionCookies => new SessionCookies({ TOKEN_SIGNING_KEY: keys });

function request(value: string, name = 'data_import_session', protocol = 'http'): FastifyRequest {
  return { protocol, cookies: { [name]: value } } as unknown as FastifyRequest;
}

describe('the cookie of a session', () => {
  it('is verified with every listed signing key, and signed with the first (A10)', () => {
    const signed = withKeys(SECOND).signed(SECRET);
    expect(withKeys(FIRST, SECOND).secretOf(request(signed))).toBe(SECRET);
    expect(withKeys(FIRST).secretOf(request(signed))).toBeUndefined();
    expect(withKeys(FIRST, SECOND).signed(SECRET)).toBe(withKeys(FIRST).signed(SECRET));
  });

  it.each([
    ['nothing', ''],
    ['a secret alone', SECRET],
    ['another secret with the signature', `${'t'.repeat(43)}.${withKeys(FIRST).signed(SECRET).slice(44)}`],
    ['another signature', `${SECRET}.${'A'.repeat(43)}`],
    ['something longer', `${withKeys(FIRST).signed(SECRET)}A`],
  ])('is nothing when it is %s (A10)', (_what, value) => {
    expect(withKeys(FIRST).secretOf(request(value))).toBeUndefined();
  });
});
