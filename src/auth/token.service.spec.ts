import { createHmac } from 'node:crypto';
import { Clock } from '../infrastructure/clock/clock.js';
import { readEnvironment } from '../infrastructure/config/env.js';
import { TokenService, type TokenClaims } from './token.service.js';

const { jest } = import.meta;

const OLD_KEY = 'the key that signed until yesterday';
const NEW_KEY = 'the key that is going to sign from today';
const SUBJECT = {
  sub: '0193a1b2-0000-7000-8000-000000000001',
  key: '0193a1b2-0000-7000-8000-000000000002',
  gen: 3,
};

function tokensSignedBy(...keys: string[]): TokenService {
  const environment = readEnvironment({ TOKEN_SIGNING_KEY: keys.join(',') });
  return new TokenService(new Clock(environment), environment);
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function parts(token: string): [header: object, claims: TokenClaims, signature: string] {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const read = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64url').toString());
  return [read(header) as object, read(claims) as TokenClaims, signature];
}

function signed(key: string, header: object, claims: object, hash = 'sha256'): string {
  const content = `${part(header)}.${part(claims)}`;
  return `${content}.${createHmac(hash, key).update(content).digest('base64url')}`;
}

describe('tokens', () => {
  const tokens = tokensSignedBy(NEW_KEY);
  const { token, claims } = tokens.issue('access', SUBJECT);

  it.each([
    ['verified for the first time', false],
    ['that was valid before', true],
  ])('expire at the second in exp: a token %s (A3)', (_case, isKnown) => {
    const expiresAt = Math.floor(Date.now() / 1_000) + 60;
    const short = tokens.issue('access', SUBJECT, expiresAt).token;
    const late = tokensSignedBy(NEW_KEY);
    const clock = jest.spyOn(Date, 'now');
    clock.mockReturnValue(expiresAt * 1_000 - 1);
    if (isKnown) expect(late.verify('access', short)).toHaveProperty('claims');
    for (const passed of [0, 1, 60_000]) {
      clock.mockReturnValue(expiresAt * 1_000 + passed);
      expect(late.verify('access', short)).toEqual({ problem: 'expired' });
    }
  });

  const [header, , signature] = parts(token);
  const withoutExpiry = Object.fromEntries(Object.entries(claims).filter(([name]) => name !== 'exp'));
  it.each([
    ['with other claims', `${part(header)}.${part({ ...claims, sub: 'another' })}.${signature}`],
    ['with a cut signature', token.slice(0, -4)],
    ['without a signature', `${part(header)}.${part(claims)}.`],
    ['with the algorithm none', `${part({ ...header, alg: 'none' })}.${part(claims)}.`],
    ['with the algorithm none, signed', signed(NEW_KEY, { ...header, alg: 'none' }, claims)],
    ['with another algorithm', signed(NEW_KEY, { ...header, alg: 'HS512' }, claims, 'sha512')],
    ['of another key', signed(OLD_KEY, header, claims)],
    ['of another issuer', signed(NEW_KEY, header, { ...claims, iss: 'another' })],
    ['without an expiry', signed(NEW_KEY, header, withoutExpiry)],
    ['that is not a JWT', 'nonsense'],
    ['that is empty', ''],
    ['of a million characters', 'a.'.repeat(500_000)],
  ])('are rejected: a token %s (A1)', (_case, forged) => {
    for (const service of [tokens, tokensSignedBy(NEW_KEY, OLD_KEY)]) {
      expect(service.verify('access', forged)).toEqual({ problem: 'invalid' });
    }
  });

  it('are accepted when the test signs one with the right key, which validates the cases above (A1)', () => {
    expect(tokens.verify('access', signed(NEW_KEY, header, claims))).toHaveProperty('claims');
  });
});
