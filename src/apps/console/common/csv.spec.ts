import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvRecord } from './csv.js';

describe('a record of a CSV file', () => {
  it.each([
    [['a', 1, true, null, undefined], 'a,1,true,,\r\n'],
    [['a,b', 'say "x"', 'two\r\nlines', 'a;b'], '"a,b","say ""x""","two\r\nlines",a;b\r\n'],
    [[new Date('2026-11-23T10:00:00Z'), -5], '2026-11-23T10:00:00.000Z,-5\r\n'],
    [[], '\r\n'],
  ])('follows RFC 4180: %j (C9)', (cells, record) => {
    expect(csvRecord(cells)).toBe(record);
  });

  it.each([
    ['a sign of a formula', { '=1+1': "'=1+1", '+44 20': "'+44 20", '-5': "'-5", '@SUM(A1)': "'@SUM(A1)" }],
    ['a command', { '=cmd|"/c calc"!A1': `'=cmd|"/c calc"!A1` }],
    ['other separators', { 'x;=1+1': "x;'=1+1", '\t=1': "'\t'=1", ' \t -5; @x': "' \t' -5;' @x" }],
    ['lines', { 'x\r\n=1\n+2\r@3': "x\r\n'=1\n'+2\r'@3" }],
    ['quotes', { 'x;"=1;y': `x;'"=1;y`, '"=1': `'"=1` }],
  ])('is not executed by a spreadsheet: %s, %j (C9)', (_what, texts) => {
    const read = Object.keys(texts).map((text) => parse(csvRecord([text, 'x']))[0]);
    expect(read).toEqual(Object.values(texts).map((harmless) => [harmless, 'x']));
  });

  it.each(['', 'a=1', "'=1", 'a;b-c\td', 'Müller 😀'])('leaves other texts as they are: %j (C9)', (text) => {
    expect(parse(csvRecord([text, 'x']))).toEqual([[text, 'x']]);
  });

  it('has no cell that starts a formula, whichever separator a spreadsheet uses, and loses no text (C9)', () => {
    const piece = fc.oneof(fc.constantFrom(...Array.from(' =+-@;\t\r\n",\'x')), fc.string({ maxLength: 2 }));
    const text = fc.array(piece).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (cells) => {
        const record = csvRecord([...cells, 'end']);
        const [read = []] = parse(record);
        expect(read.filter((cell) => /^[ \t]*[=+\-@]/.test(cell))).toEqual([]);
        expect(record.split(/[;\t\r\n]/).filter((cell) => /^[" ]*[=+\-@]/.test(cell))).toEqual([]);
        const bare = (cell: string): string => cell.replaceAll("'", '');
        expect(read.map(bare)).toEqual([...cells, 'end'].map(bare));
      }),
    );
  });
});
