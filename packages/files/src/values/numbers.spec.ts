import fc from 'fast-check';
import { canonicalNumber, numberToJson } from './numbers.js';

describe('a number of a cell', () => {
  it.each([
    ['12.50', '12.50'],
    ['-0', '-0'],
    ['1e5', '1e5'],
    [' 7 ', '7'],
    ['.5', '0.5'],
    ['-.50', '-0.50'],
    ['+3', '3'],
    ['007.10', '7.10'],
    ['00', '0'],
    ['123456789012345678901234567890.01', '123456789012345678901234567890.01'],
  ])('%j is %s', (text, json) => {
    expect(numberToJson(text)).toBe(json);
    expect(Number(JSON.parse(json))).toBe(Number(text));
  });

  it.each(['', '-', '.', '5.', '1,5', '1 000', '0x1', 'NaN', '1.2.3', '--1', '1e', '12,50 €'])(
    '%j is none',
    (text) => {
      expect(numberToJson(text)).toBeUndefined();
    },
  );

  it.each([
    ['12,5', ',', '12.5'],
    ['1.234,50', ',', '1234.50'],
    ['-1.234.567,1', ',', '-1234567.1'],
    ['1.234.567', ',', '1234567'],
    ['1 234,50', ',', '1234.50'],
    ['1\u00A0234', ',', '1234'],
    ["1'234'567,00", ',', '1234567.00'],
    ['1234', ',', '1234'],
    ['1,234.50', '.', '1234.50'],
  ] as const)('%j with the sign %j is %s', (text, sign, json) => {
    expect(numberToJson(text, sign)).toBe(json);
  });

  it.each([
    ['1.234', ',', '.', '1234'],
    ['1 234,5', ',', ' ', '1234.5'],
    ['1.234', ',', ' ', undefined],
    ['1.234,5', ',', ' ', undefined],
    ['12.34', '.', ',', '12.34'],
  ] as const)('%j with the sign %j and the separator %j is %s (L11)', (text, sign, thousands, json) => {
    expect(numberToJson(text, sign, thousands)).toBe(json);
  });

  it.each([
    // One program means 1234 by this, another 1.234.
    ['1.234', ','],
    ['1,234', '.'],
    ['12.34', ','],
    ['1.23,4', ','],
    ['1.2345,6', ','],
    ['.234,5', ','],
    ['1,2,3', ','],
    ['1234.567,8', ','],
    ['5,', ','],
  ] as const)('%j with the sign %j is refused', (text, sign) => {
    expect(numberToJson(text, sign)).toBeUndefined();
  });
});

describe('the canonical form of a number', () => {
  const digits = fc.stringMatching(/^(0|[1-9]\d{0,22})$/);

  it('is the same for the same number and another one for any other, however they are written', () => {
    const written = fc.tuple(fc.boolean(), digits, fc.nat(6), fc.nat(4), fc.integer({ min: -30, max: 30 }));
    /** DIGITS with a point `shift` digits from the end, zeros after it, and an exponent: the value is DIGITS times 10^(exponent - shift). */
    const textOf = (
      isNegative: boolean,
      whole: string,
      shift: number,
      zeros: number,
      exponent: number,
    ): string => {
      const padded = whole.padStart(shift + 1, '0');
      const point = padded.length - shift;
      const fraction = padded.slice(point) + '0'.repeat(zeros);
      return `${isNegative ? '-' : ''}${padded.slice(0, point)}${fraction === '' ? '' : `.${fraction}`}e${exponent}`;
    };
    const exact = (isNegative: boolean, whole: string, power: number): string => {
      const value = BigInt(whole) * 10n ** BigInt(power + 60);
      return isNegative ? `${-value}` : `${value}`;
    };
    fc.assert(
      fc.property(written, written, fc.boolean(), (one, other, isSame) => {
        const [negative, whole, shift, zeros, exponent] = one;
        const again = isSame
          ? ([negative, `${whole}${'0'.repeat(other[3])}`, shift, zeros, exponent - other[3]] as const)
          : other;
        const equal =
          exact(negative, whole, exponent - shift) === exact(again[0], again[1], again[4] - again[2]);
        expect(canonicalNumber(textOf(...one)) === canonicalNumber(textOf(...again))).toBe(equal);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['1.00', '1'],
    ['1e0', '1'],
    ['-0.0', '0'],
    ['1e21', '1e+21'],
    ['0.0000001', '1e-7'],
    ['12.50', '12.5'],
  ])('of %s is the one of RFC 8785, %s', (text, canonical) => {
    expect(canonicalNumber(text)).toBe(canonical);
  });

  it('keeps numbers apart that are one double', () => {
    expect(canonicalNumber('9007199254740993')).not.toBe(canonicalNumber('9007199254740992'));
  });
});
