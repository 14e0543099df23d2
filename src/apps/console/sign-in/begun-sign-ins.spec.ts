import { BegunSignIns } from './begun-sign-ins.js';

const { jest } = import.meta;

const begun = new BegunSignIns({ TOKEN_SIGNING_KEY: ['x'.repeat(32)] });

describe('a sign-in that a person has begun', () => {
  it('can be completed for ten minutes (C1)', () => {
    const startedAtMs = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(startedAtMs);
    const one = begun.begin('/console/');
    const cookie = begun.signed(one);
    clock.mockReturnValue(startedAtMs + 600_000 - 1);
    expect(begun.read(cookie)).toEqual(one);
    clock.mockReturnValue(startedAtMs + 600_000);
    expect(begun.read(cookie)).toBeUndefined();
  });

  it('has secrets of its own (C1)', () => {
    const secrets = [begun.begin(undefined), begun.begin(undefined)].flatMap(({ state, nonce, verifier }) => [
      state,
      nonce,
      verifier,
    ]);
    expect(new Set(secrets).size).toBe(6);
  });
});
