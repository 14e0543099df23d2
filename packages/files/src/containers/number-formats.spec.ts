import fc from 'fast-check';
import { builtInFormat, formatOf, numberText, PLAIN } from './number-formats.js';

const day = { is: 'date', hasDay: true, hasTime: false };
const time = { is: 'date', hasDay: false, hasTime: true };
const both = { is: 'date', hasDay: true, hasTime: true };

describe('the format of a number', () => {
  it.each([
    ['General', PLAIN],
    ['0.00', PLAIN],
    ['#,##0.00\\ "days"', PLAIN],
    ['[Red]-#,##0.00', PLAIN],
    ['0.00E+00', PLAIN],
    ['_-* #,##0.00\\ _d_-;\\-* #,##0.00', PLAIN],
    ['[$USD]\\ #,##0', PLAIN],
    ['[h]:mm:ss', PLAIN],
    ['@', PLAIN],
    ['00000', { is: 'padded', digits: 5 }],
    ['0', PLAIN],
    ['yyyy\\-mm\\-dd;@', day],
    ['DD/MM/YYYY', day],
    ['[$-407]d\\.\\ mmmm\\ yyyy', day],
    ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', day],
    ['mmm', day],
    ['h:mm AM/PM', time],
    ['mm:ss.0', time],
    ['dd/mm/yyyy hh:mm', both],
  ])('%s is that of a day or not (L2)', (code, format) => {
    expect(formatOf(code)).toEqual(format);
  });

  it.each([
    [0, PLAIN],
    [4, PLAIN],
    [11, PLAIN],
    [14, day],
    [20, time],
    [22, both],
    [46, PLAIN],
    [57, day],
  ])('number %i, which is built in, is that of a day or not (L2)', (id, format) => {
    expect(builtInFormat(id)).toEqual(format);
  });
});

describe('the text of a number', () => {
  it.each([
    ['12.5', '12.5'],
    ['-0', '0'],
    ['0.30000000000000004', '0.3'],
    ['1234.5599999999999', '1234.56'],
    ['4.5E+15', '4500000000000000'],
    ['1.23E-7', '0.000000123'],
    ['-1.5E-3', '-0.0015'],
    ['123456789012345', '123456789012345'],
    ['4500000000000123', '#DIGITS! 4.50000000000012E+15'],
    ['12345678901234567890', '#DIGITS! 1.23456789012346E+19'],
    ['9007199254740993', '#DIGITS! 9.00719925474099E+15'],
    ['1E+400', undefined],
    ['abc', undefined],
    ['', undefined],
  ])('%s has 15 digits and no exponent, and is not that of another number: %s (L2)', (written, text) => {
    expect(numberText(written, PLAIN, false)).toBe(text);
  });

  it.each([
    ['46331', 'yyyy-mm-dd', false, '2026-11-05'],
    ['46331.5', 'yyyy-mm-dd', false, '2026-11-05T12:00:00'],
    ['46331', 'yyyy-mm-dd hh:mm', false, '2026-11-05T00:00:00'],
    ['46331.416666666664', 'yyyy-mm-dd hh:mm', false, '2026-11-05T10:00:00'],
    ['46331.999999999', 'yyyy-mm-dd hh:mm', false, '2026-11-06T00:00:00'],
    ['44869', 'yyyy-mm-dd', true, '2026-11-05'],
    ['0', 'yyyy-mm-dd', true, '1904-01-01'],
    ['61', 'yyyy-mm-dd', false, '1900-03-01'],
    ['60', 'yyyy-mm-dd', false, '#DAY! 60'],
    ['-1', 'yyyy-mm-dd', true, '#DAY! -1'],
    ['2958466', 'yyyy-mm-dd', false, '#DAY! 2958466'],
    ['0.4375', 'h:mm', false, '10:30:00'],
    ['2.5', '[h]:mm', false, '2.5'],
    ['123', '00000', false, '00123'],
    ['-123', '00000', false, '-123'],
    ['123456', '00000', false, '123456'],
  ])('%s as %s is %s (L2)', (written, code, isFrom1904, text) => {
    expect(numberText(written, formatOf(code), isFrom1904)).toBe(text);
  });

  it('is that of the number, for every number of 15 digits (L2)', () => {
    const digits = fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n });
    fc.assert(
      fc.property(digits, fc.integer({ min: -12, max: 9 }), (whole, exponent) => {
        const written = String(Number(`${whole}e${exponent}`));
        const text = numberText(written, PLAIN, false);
        expect(text).not.toMatch(/e|^#|\.$|\.\d*0$/i);
        expect(Number(text)).toBe(Number(written) + 0);
      }),
    );
  });
});
