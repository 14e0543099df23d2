import type { AccountRecord } from '../files/line-reading.js';
import { newNumberProblem } from './new-number.js';

const detailOf = (externalAccountNumber: string): string | undefined =>
  newNumberProblem({ externalAccountNumber } as AccountRecord)?.detail;

describe('newNumberProblem', () => {
  it.each([
    ['space at its', [' 1', '1 ', '\t1', '1\n', '\u00A01', '1\u2007', '1\u202F', '\u30001', '1\u0085', ' ']],
    [
      'not visible',
      ['1\u200B2', '\u200D1', '1\u2060', '1\u00AD2', '\u200E1', '1\u202E2', '1\uFEFF2', '1\u180E2'],
    ],
    ['mark of a spreadsheet', ['="02049"', '="02049', '= "1"', "'02050", '\u201902050', "'"]],
    ['rounded', ['4.5E+15', '4,5E+15', '4.5e+15', '-1.234E+5', '4.E+15']],
    [
      'repeats the header',
      ['external_account_number', 'External_Account_Number', '"external_account_number"'],
    ],
    ['repeats the header', ['\uFEFFexternal_account_number', ' external_account_number ']],
  ])('finds: %s (S7)', (mentioned, numbers) => {
    for (const number of numbers)
      expect([number, detailOf(number)]).toEqual([number, expect.stringContaining(mentioned)]);
  });

  it.each([
    [
      'ids that look like exponents',
      ['4E12', '4E+15', '4.5E15', '4.5E-15', '1.2.3E+4', 'A4.5E+15', '4.5E+15A'],
    ],
    ['spaces, marks and quotes within', ['1 2', '1\u00A02', "1'2", '1="2"', '=1', 'O\u2019Neil', '"1"']],
    ['words and letters', ['header', 'my external_account_number', 'é', '😀', '～', '٤', '\\N']],
  ])('accepts %s (S7)', (_name, numbers) => {
    for (const number of numbers) expect([number, detailOf(number)]).toEqual([number, undefined]);
  });
});
