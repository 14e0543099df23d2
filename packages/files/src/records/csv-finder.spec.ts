import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { CsvFinder } from './csv-finder.js';

/** The records of a text. The finder receives a longer piece of the text whenever it needs more. */
function records(text: string, pieceBytes: number): { cells: string[]; line: number; problem?: string }[] {
  const bytes = Buffer.from(text);
  const finder = new CsvFinder();
  const found: { cells: string[]; line: number; problem?: string }[] = [];
  let line = 1;
  for (let at = 0; at < bytes.length;) {
    let next = -1;
    for (
      let length = Math.min(bytes.length, at + pieceBytes);
      next === -1;
      length = Math.min(bytes.length, length + pieceBytes)
    ) {
      next = finder.find(bytes, at, length, length === bytes.length);
    }
    const cells = Array.from({ length: finder.count }, (_, index) => finder.cell(bytes, index));
    if (finder.problem) found.push({ cells: [], line, problem: finder.problem.detail });
    else if (!finder.isBlank) found.push({ cells, line });
    line += finder.lineFeeds;
    at = next;
  }
  return found;
}

const cell = fc.oneof(
  fc.constantFrom('', ' ', '"', ',', '\n', '\r\n', 'a"b', 'é€'),
  fc.string({ maxLength: 8 }),
);

describe('CSV', () => {
  it('has the records and lines that csv-parse reads, from pieces of any size', () => {
    const lineEnd = fc.constantFrom('\n', '\r\n');
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 8 });
    fc.assert(
      fc.property(
        rows,
        lineEnd,
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        (sent, end, endsOpen, pieceBytes) => {
          const text =
            sent
              .map((cells) =>
                cells
                  .map((value) => (/[",\r\n]|^ $/.test(value) ? `"${value.replaceAll('"', '""')}"` : value))
                  .join(','),
              )
              .join(end) + (endsOpen || sent.length === 0 ? '' : end);
          const expected: string[][] = parse(text, {
            record_delimiter: [end],
            relax_column_count: true,
            info: false,
          });
          const found = records(text, pieceBytes);
          expect(found.map(({ cells }) => cells)).toEqual(expected);
          expect(found.map(({ cells }) => cells)).toEqual(sent);
          let line = 1;
          for (const [at, { line: told }] of found.entries()) {
            expect(told).toBe(line);
            line += (sent[at] ?? []).join('').split('\n').length;
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ['a quote in the middle of a cell', 'a,b"c\nd,e\n', ['There is a quote in the middle', 'd,e']],
    ['something after a closing quote', '"a"b,c\nd,e\n', ['There is a quote in the middle', 'd,e']],
    ['a lone carriage return', 'a\rb,c\nd,e\n', ['There is a carriage return', 'd,e']],
    ['a quote that is never closed', 'a,"b\nc,d\ne,f', ['A quote is opened', 'c,d', 'e,f']],
    [
      'a quote closed by the next one',
      'a,"b\nc,"d"\ne,f\n',
      ['There is a quote in the middle', 'c,d', 'e,f'],
    ],
  ])('loses one line for %s', (_, text, told) => {
    for (const pieceBytes of [1, 3, 100]) {
      const found = records(text, pieceBytes).map(({ cells, problem }) => problem ?? cells.join(','));
      expect(found).toEqual(
        told.map((start) => (start.includes(' ') ? (expect.stringContaining(start) as string) : start)),
      );
    }
  });

  it('passes over blank lines and takes a missing last cell for an empty one', () => {
    expect(records('a,b\n\n  \r\nc,', 2)).toEqual([
      { cells: ['a', 'b'], line: 1 },
      { cells: ['c', ''], line: 4 },
    ]);
  });
});
