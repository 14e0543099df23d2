import fc from 'fast-check';
import { exactAmount } from './exact-amount.js';

describe('a sum of amounts', () => {
  it.each([
    ['0', '0.00'],
    ['-0.0', '0.00'],
    ['0e99999999999999999999', '0.00'],
    ['10', '10.00'],
    ['10.5', '10.50'],
    ['-10.50', '-10.50'],
    ['0.05', '0.05'],
    ['-0.5000', '-0.50'],
    ['007.10', '7.10'],
    ['1e2', '100.00'],
    ['1.25E+1', '12.50'],
    ['125e-2', '1.25'],
    ['1e-2', '0.01'],
    ['0.001e1', '0.01'],
    ['12345678901234567.89', '12345678901234567.89'],
    ['999999999999999999999999.99', '999999999999999999999999.99'],
    ['1e23', '100000000000000000000000.00'],
  ])('is read from %s as %s, with every digit (V6, T13)', (text, amount) => {
    expect(exactAmount(text)).toBe(amount);
  });

  it.each([
    ['0.001', 'max_decimal_places'],
    ['10.505', 'max_decimal_places'],
    ['1e-3', 'max_decimal_places'],
    ['1e-99999999999999999999', 'max_decimal_places'],
    ['1.00000000000000000001', 'max_decimal_places'],
    ['1000000000000000000000000', 'max_digits'],
    ['1e24', 'max_digits'],
    ['1e99999999999999999999', 'max_digits'],
  ])('is not %s (V6)', (text, code) => {
    expect(exactAmount(text)).toMatchObject({ code });
  });

  it('equals the number as written, with or without an exponent (V6)', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.nat(30), (hundredths, zeros) => {
        const sign = hundredths < 0n ? '-' : '';
        const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(3, '0');
        const plain = `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
        const expected = hundredths === 0n ? '0.00' : plain;
        expect(exactAmount(plain)).toBe(expected);
        expect(exactAmount(`${sign}${digits}${'0'.repeat(zeros)}e-${zeros + 2}`)).toBe(expected);
      }),
    );
  });
});
