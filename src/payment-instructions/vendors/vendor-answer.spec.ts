import { VendorRefusal } from './payment-vendor.js';
import { COUNTRY, LAST_FOUR, VendorAnswer, WORD } from './vendor-answer.js';

/** The value that is read, or the reason of the refusal. */
function taken<Value>(take: () => Value): Value | string {
  try {
    return take();
  } catch (error) {
    expect(error).toBeInstanceOf(VendorRefusal);
    return (error as VendorRefusal).reason;
  }
}

describe('a text of a vendor’s answer', () => {
  it.each<[string, RegExp, unknown[], unknown[]]>([
    [
      'a word',
      WORD,
      ['visa', 'v', 'sepa_core2', 'v'.repeat(40), 'v12345678901', 'v1234_5678_901'],
      [
        ...['', 'v'.repeat(41), 'Visa', '_visa', '4242', 'vi sa', 'visa\n', ' visa', 'visé', 'vi-sa'],
        ...['v123456789012', 'v1234_5678_9012', 'v4242_4242_4242_4242', `v${'1'.repeat(39)}`],
      ],
    ],
    [
      'the last four digits',
      LAST_FOUR,
      ['4242', '0000'],
      ['', '424', '42424', '4242424242424242', '4242\n', ' 4242', '٤٢٤٢', '424x', '42.4'],
    ],
    ['a country', COUNTRY, ['US', 'DE'], ['', 'U', 'USA', 'us', 'Us', 'U1', 'US\n', ' US', 'ÖS']],
  ])('is %s or is refused (2.6, P3)', (_case, form, right, wrong) => {
    const take = (value: unknown): unknown => taken(() => new VendorAnswer({ value }).text('value', form));
    for (const value of right) expect(take(value)).toBe(value);
    for (const value of [...wrong, 4242, true, ['visa'], {}, null, undefined]) {
      expect([value, take(value)]).toEqual([value, 'unreadable']);
    }
  });

  it.each([[undefined], [null]])('may be %s where it is optional for the vendor (P3)', (value) => {
    const answer = new VendorAnswer({ value });
    expect(answer.optionalText('value', LAST_FOUR)).toBeUndefined();
    expect(answer.optionalText('absent', LAST_FOUR)).toBeUndefined();
  });

  it.each(['', '42424', 4242])('is refused as %j even where it is optional for the vendor (P3)', (value) => {
    expect(taken(() => new VendorAnswer({ value }).optionalText('value', LAST_FOUR))).toBe('unreadable');
  });
});

describe('a number of a vendor’s answer', () => {
  const read = (value: unknown): unknown =>
    taken(() => new VendorAnswer({ value }).wholeNumber('value', 1, 12));

  it('is read when it is between two limits (P3)', () => {
    expect([1, 12].map(read)).toEqual([1, 12]);
    const others = [0, 13, 1.5, '1', NaN, null, undefined];
    expect(others.map(read)).toEqual(others.map(() => 'unreadable'));
  });
});

describe('a vendor’s answer', () => {
  it.each([[undefined], [null], ['{}'], [1], [[]]])('is refused unless it is an object: %j (P3)', (value) => {
    expect(taken(() => new VendorAnswer(value))).toBe('unreadable');
    expect(taken(() => new VendorAnswer({ card: value }).part('card'))).toBe('unreadable');
  });

  it('does not appear in the error message (2.6)', () => {
    const take = (): string => new VendorAnswer({ last4: '4242424242424242' }).text('last4', LAST_FOUR);
    expect(take).toThrow('last4 of the answer is not as expected');
    expect(take).not.toThrow('4242');
  });
});
