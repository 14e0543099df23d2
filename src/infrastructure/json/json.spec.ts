import fc from 'fast-check';
import { AppError } from '../errors/errors.js';
import { isTooDeep, parseJson } from './json.js';
import { runs } from '../../../test/support/runs.js';

const read = (text: string): unknown => parseJson(Buffer.from(text));

/** A JSON number with this many significant digits, in every notation. */
function numberText(digitsMin: number, digitsMax: number): fc.Arbitrary<string> {
  const nonZero = fc.constantFrom(...Array.from('123456789'));
  const digits = fc
    .tuple(
      nonZero,
      fc.array(fc.constantFrom(...Array.from('0123456789')), {
        minLength: digitsMin - 2,
        maxLength: digitsMax - 2,
      }),
      nonZero,
    )
    .map(([first, middle, last]) => first + middle.join('') + last);
  const exponent = fc
    .tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), fc.integer({ min: 0, max: 250 }))
    .map(([letter, sign, power]) => `${letter}${sign}${power}`);
  return fc
    .tuple(fc.constantFrom('', '-'), digits, fc.nat(), fc.nat(20), fc.oneof(fc.constant(''), exponent))
    .map(([sign, text, point, zeros, power]) => {
      const at = point % (text.length + 1);
      const [whole, fraction] = [text.slice(0, at), text.slice(at)];
      const padded = '0'.repeat(zeros);
      if (whole === '') return `${sign}0.${padded}${fraction}${padded}${power}`;
      return fraction === '' ? `${sign}${whole}${power}` : `${sign}${whole}.${fraction}${padded}${power}`;
    });
}

/** A whole JSON text; its strings contain many look-alikes of numbers, quotes and escapes. */
function jsonText(number: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const tricky = fc.constantFrom('12345678901234567890', '1e400', '"', '\\', '\\"1e999', '{"a":1}', '\u2028');
  const string = fc.array(fc.oneof(tricky, fc.string({ unit: 'binary' }))).map((parts) => {
    return JSON.stringify(parts.join(''));
  });
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('null', 'true', 'false'),
      number,
      string,
      fc.array(tie('value')).map((items) => `[ ${items.join(' ,')}]`),
      fc
        .array(fc.tuple(string, tie('value')))
        .map((members) => `{${members.map(([key, content]) => `${key} :\n${content}`).join(',')}}`),
    ),
  }));
  return value;
}

describe('parseJson', () => {
  it('parses numbers of up to 15 significant digits like JSON.parse (T13)', () => {
    fc.assert(
      fc.property(jsonText(numberText(2, 15)), (text) => {
        expect(read(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: runs(150) },
    );
  });

  it('keeps all 15 digits of the number that was sent (T13)', () => {
    fc.assert(
      fc.property(numberText(2, 15), (text) => {
        const kept = (read(text) as number).toExponential(14);
        expect(decimal(kept)).toEqual(decimal(text));
      }),
      { numRuns: runs(150) },
    );
  });

  it('returns a number with more digits as infinity, whatever is around it (T13)', () => {
    fc.assert(
      fc.property(numberText(16, 40), jsonText(numberText(2, 15)), (number, other) => {
        const sign = number.startsWith('-') ? -1 : 1;
        expect(read(`[${number},${other}]`)).toEqual([sign * Infinity, JSON.parse(other)]);
      }),
    );
  });

  it.each<[what: string, numbers: Record<string, number>]>([
    ['zeros', { '0': 0, '-0': -0, '0.000000000000000000000': 0, '0e999': 0 }],
    ['many digits that are zeros', { '100000000000000000000000': 1e23, '1.5000000000000000000000': 1.5 }],
    ['small numbers', { '0.000000000000000000001': 1e-21, '1e-307': 1e-307 }],
    ['exponents', { '1e2': 100, '1E+2': 100, '1e308': 1e308 }],
    ['15 digits', { '123456789012345': 123456789012345, '0.123456789012345': 0.123456789012345 }],
    ['16 digits', { '1234567890123456': Infinity, '-1234567890123456': -Infinity }],
    ['16 digits', { '0.1234567890123456': Infinity, '9007199254740993': Infinity }],
    ['exponents beyond a double', { '1e309': Infinity, '-1e400': -Infinity }],
    ['exponents beyond a double', { '1e-400': Infinity, '5e-324': Infinity }],
  ])('reads %s: %j (T13)', (_what, numbers) => {
    const values = Object.values(numbers);
    expect(Object.keys(numbers).map(read)).toEqual(values);
    const nested = Object.keys(numbers).map((text) => read(`{"a":${text},"b":[${text}]}`));
    expect(nested).toEqual(values.map((value) => ({ a: value, b: [value] })));
  });

  it('does not change strings and keys that look like numbers (T13)', () => {
    const value = { '12345678901234567890': 'number 12345678901234567890 \\" 1e400 \\', last: '\\' };
    expect(read(JSON.stringify(value))).toEqual(value);
  });

  it.each([
    ['escapes', `["${'\\n'.repeat(1_000_000)}",12345678901234567]`],
    ['digits in a string', `["${'1'.repeat(2_000_000)}"]`],
    ['quotes', `[${'"",'.repeat(600_000)}12345678901234567]`],
    ['zeros inside of a number', `[1${'0'.repeat(2_000_000)}1]`],
    ['zeros at the end of a number', `[1${'0'.repeat(2_000_000)}]`],
    ['zeros after the point', `[0.${'0'.repeat(2_000_000)}1]`],
    ['brackets', `${'['.repeat(1_000_000)}12345678901234567${']'.repeat(1_000_000)}`],
  ])(
    'parses two million bytes of %s, for which a regular expression has no stack or takes minutes (T13, T15)',
    (_what, text) => {
      expect(() => read(text)).not.toThrow();
    },
  );

  it.each(['', ' ', '{', '[1,]', '01', '1.', '.5', '+1', 'NaN', 'Infinity', "'a'", '{"a" 1}', '"\n"', '1 2'])(
    'rejects %j (T4)',
    (text) => {
      expect(() => read(text)).toThrow(expect.objectContaining({ code: 'parse_error' }) as AppError);
    },
  );

  it.each([
    ['an unpaired byte', [0x22, 0xff, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['half a character', [0x22, 0xe2, 0x82]],
  ])('rejects bytes that are not UTF-8: %s (T4)', (_what, bytes) => {
    expect(() => parseJson(Buffer.from(bytes))).toThrow(AppError);
  });
});

describe('isTooDeep', () => {
  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

  it('allows at most 64 levels', () => {
    expect([nested(64), nested(65)].map((value) => isTooDeep(value))).toEqual([false, true]);
    expect(isTooDeep(nested(100_000))).toBe(true);
    expect(isTooDeep(null)).toBe(false);
  });
});

/** The parts of a decimal number: sign, digits without zeros at either end, power of ten. */
function decimal(text: string): { sign: string; digits: string; power: number } {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  return { sign, digits, power: Number(exponent) - fraction.length + all.length - digits.length };
}
