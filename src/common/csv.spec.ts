import { parse } from 'csv-parse/sync';
import { csvRecord } from './csv.js';

describe('a record of a CSV file', () => {
  it.each([
    [['a', 1, true, null, undefined], 'a,1,true,,\r\n'],
    [['a,b', 'say "x"', 'two\r\nlines', 'a;b'], '"a,b","say ""x""","two\r\nlines",a;b\r\n'],
    [[new Date('2026-11-23T10:00:00Z'), -5], '2026-11-23T10:00:00.000Z,-5\r\n'],
    [[], '\r\n'],
  ])('is written as RFC 4180 wants it: %j (C9)', (cells, record) => {
    expect(csvRecord(cells)).toBe(record);
  });

  it.each(['=1+1', '+44 20', '-5', '@SUM(A1)', '\t=1', '\r=1', '=cmd|"/c calc"!A1'])(
    'is carried out by no spreadsheet: %j (C9)',
    (text) => {
      expect(parse(csvRecord([text, 'x']))).toEqual([[`'${text}`, 'x']]);
    },
  );

  it.each(['', 'a=1', "'=1", ' =1', 'Müller 😀'])('has other texts as they are: %j (C9)', (text) => {
    expect(parse(csvRecord([text, 'x']))).toEqual([[text, 'x']]);
  });
});
