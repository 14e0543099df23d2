import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvLine } from '@data-import/files';
import { withoutFormulas } from './csv.js';

describe('a line of a CSV file', () => {
  const piece = fc.oneof(fc.constantFrom(...Array.from('=+-@;\t\r\n",\'x')), fc.string({ maxLength: 2 }));
  const texts = fc.array(
    fc.array(piece).map((pieces) => pieces.join('')),
    { minLength: 1, maxLength: 4 },
  );

  it('is read again as it was written', () => {
    fc.assert(
      fc.property(texts, (cells) => {
        expect(parse(csvLine([...cells, 1]), { record_delimiter: '\n' })).toEqual([[...cells, '1']]);
      }),
    );
  });

  it('for people has no cell that begins a formula, whichever separator a spreadsheet takes, and loses no text (L6)', () => {
    fc.assert(
      fc.property(texts, (cells) => {
        const line = csvLine([...cells.map(withoutFormulas), 1]);
        const [read = []] = parse(line, { record_delimiter: '\n' });
        expect(read.filter((cell) => /^[=+\-@]/.test(cell))).toEqual([]);
        expect(line.split(/[;\t\r\n]/).filter((cell) => /^"*[=+\-@]/.test(cell))).toEqual([]);
        const bare = (cell: string): string => cell.replaceAll("'", '');
        expect(read.map(bare)).toEqual([...cells, '1'].map(bare));
      }),
    );
  });

  it.each([
    ['x;=1+1', "x;'=1+1"],
    ['\t@A', "\t'@A"],
    ['-5', "'-5"],
    ['x;"=1;y', `x;'"=1;y`],
    ['a;b=1', 'a;b=1'],
  ])('for people has %j as %j (L6)', (text, written) => {
    expect(withoutFormulas(text)).toBe(written);
  });
});
