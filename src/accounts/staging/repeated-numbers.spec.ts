import { Readable } from 'node:stream';
import fc from 'fast-check';
import { readAccountFile } from '../files/account-file.js';
import type { ReadLines } from '../files/line-reading.js';
import { NumberFilter } from './number-filter.js';
import { RepeatedNumbers } from './repeated-numbers.js';

/** @returns `line: other line`, with a sign for other content */
async function repeatsOf(lines: readonly string[], isCsv = false): Promise<string[]> {
  const read: ReadLines = (format) =>
    readAccountFile(
      isCsv ? 'csv' : 'ndjson',
      { name: 'lines', bytes: Readable.from([Buffer.from(lines.join('\n'))]) },
      format,
    );
  const repeats = (await RepeatedNumbers.find(read, new AbortController().signal))!;
  const found: string[] = [];
  for (let line = 1; line <= lines.join('\n').split('\n').length; line += 1) {
    if (!repeats.isLoaded(line)) await repeats.load(line);
    const repeat = repeats.at(line);
    if (repeat) found.push(`${line} ${repeat.isSame ? '=' : '≠'} ${repeat.otherLine}`);
  }
  repeats.dispose();
  return found;
}

const line = (number: string, more = ''): string => `{"external_account_number":"${number}"${more}}`;

describe('RepeatedNumbers', () => {
  it.each([
    ['nothing', [line('A'), line('a'), line('A ')], []],
    ['two of one content', [line('A'), line('B'), line('A')], ['3 = 1']],
    ['two of other content', [line('A'), line('B'), line('A', ',"account":{}')], ['1 ≠ 3', '3 ≠ 1']],
    [
      'three of which two are the same',
      [line('A'), line('A'), line('A', ',"account":{}')],
      ['1 ≠ 3', '2 ≠ 1', '3 ≠ 1'],
    ],
    ['a number with escapes', [line('A'), line('\\u0041')], ['2 = 1']],
    ['a line that is bad anyway', [line('A'), line('A', ',"open_statement_from":"x"')], []],
    ['a line of other fields', [line('A'), line('A', ',"control":{"notes":1}')], ['1 ≠ 2', '2 ≠ 1']],
    ['other days', [line('A'), line('A', ',"open_statement_to":"2024-01-01"')], ['1 ≠ 2', '2 ≠ 1']],
    [
      'equal control totals',
      [
        line('A', ',"control":{"transactions":{"amount":1.5}}'),
        line('A', ',"control":{"notes":null,"transactions":{"amount":1.5}}'),
      ],
      [],
    ],
    [
      'accounts that are stored alike',
      [line('A', ',"account":{"a":1.50,"b":"é"}'), '', line('A', ', "account" : {"b":"\\u00e9","a":15e-1}')],
      ['3 = 1'],
    ],
  ])('finds %s (S7)', async (_name, lines, expected) => {
    expect(await repeatsOf(lines)).toEqual(expected);
  });

  it('compares the cells of CSV files (S7)', async () => {
    const rows = [
      'external_account_number,name,city',
      '1,Ann,Bonn',
      '"1","Ann","Bonn"',
      '2,"a\nb",',
      '2,"a\nb",',
      '3,,x',
      '3,x,',
    ];
    expect(await repeatsOf(rows, true)).toEqual(['3 = 2', '6 = 4', '8 ≠ 9', '9 ≠ 8']);
  });

  it('agrees with a plain comparison, also of many repeats (S7)', async () => {
    const numbers = fc.array(fc.tuple(fc.nat(400), fc.nat(1)), { minLength: 300, maxLength: 1_000 });
    await fc.assert(
      fc.asyncProperty(numbers, async (records) => {
        const lines = records.map(([number, version]) =>
          line(`${number}`, `,"account":{"v":${version % 50}}`),
        );
        const expected = records.flatMap(([number], index) => {
          const same = [...lines.keys()].filter((other) => records[other]![0] === number);
          const different = same.find((other) => lines[other] !== lines[same[0]!]);
          const other = index === same[0] ? different : same[0];
          return other === undefined
            ? []
            : [`${index + 1} ${different === undefined ? '=' : '≠'} ${other + 1}`];
        });
        expect(await repeatsOf(lines)).toEqual(expected);
      }),
      { numRuns: 10 },
    );
  });
});

describe('NumberFilter', () => {
  it('has what was added, and hardly anything else', () => {
    const filter = new NumberFilter();
    expect(filter.has('0')).toBe(false);
    const numbers = Array.from({ length: 200_000 }, (_, index) => `N${String(index).padStart(9, '0')}`);
    expect(numbers.filter((number) => filter.add(number))).toEqual([]);
    expect(numbers.every((number) => filter.has(number))).toBe(true);
    expect(numbers.filter((number) => filter.has(`${number}x`))).toEqual([]);
  });
});
