import fc from 'fast-check';
import { WrongUsage } from '../common/errors.js';
import { Amounts, negated, type AmountOptions } from './amounts.js';
import { canonicalNumber } from './numbers.js';
import { runs } from '../../../../test/support/runs.js';

const ALL = { negative: ['-1', '1-', '(1)'], words: { CR: -1, DR: 1 } } as const;

function read(text: string, options: AmountOptions): unknown {
  return new Amounts(options, 'amount').read(text);
}

function problemOf(text: string, options: AmountOptions): string {
  return (read(text, options) as { problem: string }).problem;
}

describe('an amount of a file', () => {
  it.each([
    ['12.50', {}, '12.50'],
    ['-12.50', {}, '-12.50'],
    ['+12.50', {}, '12.50'],
    ['\u221212.50', {}, '-12.50'],
    ['- 12.50', {}, '-12.50'],
    ['.5', {}, '0.5'],
    ['007.10', {}, '7.10'],
    ['1,234,567.89', {}, '1234567.89'],
    ['£1,234.50', {}, '1234.50'],
    ['-£12.50', {}, '-12.50'],
    ['£-12.50', {}, '-12.50'],
    ['12.50-', ALL, '-12.50'],
    ['12.50 -', ALL, '-12.50'],
    ['(12.50)', ALL, '-12.50'],
    ['(£12.50)', ALL, '-12.50'],
    ['£(12.50)', ALL, '-12.50'],
    ['12.50 CR', ALL, '-12.50'],
    ['12.50cr', ALL, '-12.50'],
    ['DR 12.50', ALL, '12.50'],
    ['£12.50 CR', ALL, '-12.50'],
    ['0.00-', ALL, '0.00'],
    ['1.234,50', { decimal: ',' }, '1234.50'],
    ['1 234,50 €', { decimal: ',' }, '1234.50'],
    ['1\u202F234\u00A0€', { decimal: ',' }, '1234'],
    ["CHF 1'234.50", { currency: ['CHF'] }, '1234.50'],
    ['12,50 kr.', { decimal: ',', currency: ['kr'] }, undefined],
    ['1.012', { decimal: ',', thousands: '.' }, '1012'],
    ['1,012', { thousands: ',' }, '1012'],
    ['1.012', { decimal: '.' }, '1.012'],
    ['1.012', { thousands: ',' }, '1.012'],
    ['0.125', {}, '0.125'],
    ['1\u00A0012', { thousands: ' ' }, '1012'],
    ['123456789012345678901234567890.01', {}, '123456789012345678901234567890.01'],
  ] as [string, AmountOptions, string | undefined][])('%j with %j is %s (L11)', (text, options, json) => {
    if (json === undefined) expect(problemOf(text, options)).toContain('is no amount');
    else expect(read(text, options)).toBe(json);
  });

  it.each([
    ['1.012', { decimal: ',' }, 'could be two numbers'],
    ['1,012', {}, 'could be two numbers'],
    ['1.012', {}, 'could be two numbers'],
    ['1.012', { decimal: ',', thousands: ' ' }, 'could be two numbers'],
    ['1,012 CR', ALL, 'could be two numbers'],
    ['12.50-', {}, 'in the form 1-'],
    ['(12.50)', {}, 'in the form (1)'],
    ['-12.50', { negative: ['1-'] }, 'in the form -1'],
    ['-12.50-', ALL, 'more than one sign'],
    ['(-12.50)', ALL, 'more than one sign'],
    ['-12.50 CR', ALL, 'more than one sign'],
    ['£12.50 €', ALL, 'more than one sign of a currency'],
    ['$12.50', { currency: ['£'] }, 'is no amount'],
    ['12.50 EUR', {}, 'is no amount'],
    ['12.50 XX', ALL, 'is no amount'],
    ['1.23E+5', {}, 'is no amount'],
    ['1.012.5', { thousands: ',' }, 'is no amount'],
    ['12,34,567.00', {}, 'is no amount'],
    ['', {}, 'is no amount'],
    ['-', {}, 'is no amount'],
    ['()', ALL, 'is no amount'],
    ['CR', ALL, 'is no amount'],
    ['12.', {}, 'is no amount'],
    ['1 2', {}, 'is no amount'],
  ] as [string, AmountOptions, string][])('%j with %j is refused: %s (L11)', (text, options, problem) => {
    expect(problemOf(text, options)).toContain(problem);
  });

  it.each([
    [{ thousands: '.', decimal: '.' }, 'amount.thousands'],
    [{ thousands: '_' }, 'amount.thousands'],
    [{ words: { '1': 1 } }, '"1" cannot stand beside an amount'],
    [{ currency: [''] }, '"" cannot stand'],
  ] as [AmountOptions, string][])('in the form %j is wrong usage (L11)', (options, message) => {
    expect(() => new Amounts(options, 'amount')).toThrow(WrongUsage);
    expect(() => new Amounts(options, 'amount')).toThrow(message);
  });

  it('is negated as text', () => {
    expect(['12.50', '-12.50', '0.00', '-0'].map(negated)).toEqual(['-12.50', '12.50', '0.00', '0']);
  });
});

/** The form in which a program writes amounts. */
interface Dialect {
  readonly decimal: '.' | ',';
  readonly thousands: string;
  readonly negative: '-1' | '1-' | '(1)' | 'CR';
  readonly currency: string;
  readonly isBehind: boolean;
}

const dialects: fc.Arbitrary<Dialect> = fc
  .record({
    decimal: fc.constantFrom('.', ','),
    thousands: fc.constantFrom('', '.', ',', ' ', '\u00A0', "'"),
    negative: fc.constantFrom('-1', '1-', '(1)', 'CR'),
    currency: fc.constantFrom('', '£', '€', 'EUR'),
    isBehind: fc.boolean(),
  } as const)
  .filter(({ decimal, thousands }) => decimal !== thousands);

interface Amount {
  readonly isNegative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

const amounts: fc.Arbitrary<Amount> = fc.record({
  isNegative: fc.boolean(),
  whole: fc.oneof(fc.nat(5_000).map(String), fc.stringMatching(/^[1-9]\d{0,14}$/)),
  fraction: fc.stringMatching(/^\d{0,4}$/),
});

function write({ isNegative, whole, fraction }: Amount, dialect: Dialect): string {
  const { decimal, thousands, negative, currency, isBehind } = dialect;
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, thousands);
  const digits = fraction === '' ? grouped : `${grouped}${decimal}${fraction}`;
  const withCurrency = isBehind ? `${digits} ${currency}`.trim() : `${currency}${digits}`;
  if (!isNegative) return withCurrency;
  if (negative === '-1') return `-${withCurrency}`;
  if (negative === '1-') return `${withCurrency}-`;
  return negative === '(1)' ? `(${withCurrency})` : `${withCurrency} CR`;
}

function optionsOf({ decimal, negative, currency, thousands }: Dialect, isNamed: boolean): AmountOptions {
  return {
    decimal,
    ...(negative === 'CR' ? { words: { CR: -1, DR: 1 } } : { negative: [negative] }),
    ...(currency === 'EUR' && { currency: [currency] }),
    ...(isNamed && thousands !== '' && { thousands: thousands === '\u00A0' ? ' ' : thousands }),
  };
}

describe('amounts in the forms of many programs', () => {
  const exact = ({ isNegative, whole, fraction }: Amount): string =>
    canonicalNumber(`${isNegative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`);

  it('come back equal where their form is named, and are refused only where they could be two numbers (L11)', () => {
    fc.assert(
      fc.property(amounts, dialects, fc.boolean(), (amount, dialect, isNamed) => {
        const result = read(write(amount, dialect), optionsOf(dialect, isNamed));
        if (typeof result === 'string') expect(canonicalNumber(result)).toBe(exact(amount));
        else {
          expect(result).toEqual({ problem: expect.stringContaining('could be two numbers') as string });
          expect(isNamed && dialect.thousands !== '').toBe(false);
        }
      }),
      { numRuns: runs(400) },
    );
  });

  it('come back equal or are refused where their decimal sign is not named, and are never altered (L11)', () => {
    fc.assert(
      fc.property(amounts, dialects, dialects, (amount, dialect, other) => {
        const options = { ...optionsOf(other, false), decimal: undefined };
        const result = read(write(amount, dialect), options);
        if (typeof result === 'string') expect(canonicalNumber(result)).toBe(exact(amount));
      }),
      { numRuns: runs(1_000) },
    );
  });
});
