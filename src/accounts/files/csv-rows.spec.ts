import fc from 'fast-check';
import { CsvRows, type CsvRow } from './csv-rows.js';
import { LINE_BYTES_MAX } from './file-lines.js';

function rowsOf(content: string): CsvRow[] {
  const table = new CsvRows();
  const lines = content.split('\n').map((text, index) => ({ line: index + 1, text }));
  return [...table.read(lines), ...table.end()];
}

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

describe('CsvRows', () => {
  it('reads back any cell that was written in quotes (S7)', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'é') });
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), (table) => {
        const content = table.map((cells) => cells.map(quoted).join(',')).join('\n');
        const read = rowsOf(content).map((row) => ('cells' in row ? row.cells : row.problem));
        expect(read).toEqual(table);
      }),
    );
  });

  it.each([
    ['plain cells', 'a,b', ['a', 'b']],
    ['empty cells at the end', 'a,,', ['a', '', '']],
    ['a line that ends with CR LF', 'a,b\r', ['a', 'b']],
    ['a quoted cell and a plain one', '"a,""b""",c', ['a,"b"', 'c']],
    ['a quoted empty cell at the end', 'a,""', ['a', '']],
  ])('reads %s (S7)', (_name, content, cells) => {
    expect(rowsOf(content)).toEqual([{ line: 1, cells }]);
  });

  it('numbers rows by their first line, counting blank lines and line ends in cells (S7)', () => {
    expect(rowsOf('a\n\n"b\nb"\nc\n').map(({ line }) => line)).toEqual([1, 3, 5]);
  });

  it.each([
    ['in the middle of a cell', 'a,b"c\nd,e'],
    ['before text', '"a"b\nd,e'],
    ['that is never closed', 'a,"b\nd,e'],
  ])('rejects one row for a quote %s (S7)', (_name, content) => {
    const rows = rowsOf(content);
    expect(rows.map((row) => ('cells' in row ? row.cells : row.problem.code))).toEqual([
      'parse_error',
      ['d', 'e'],
    ]);
  });

  it.each([
    ['between plain cells', 'a,b\rc,d'],
    ['before a quoted cell', 'a,b\rc,"d"'],
    ['behind a quoted cell', '"a","b"\r"c","d"'],
    ['twice at the end of a line', 'a,b\r\r'],
  ])('rejects a row with a carriage return outside quotes: %s (S7)', (_name, row) => {
    const rows = rowsOf(`${row}\ne,f`);
    expect(rows.map((one) => ('cells' in one ? one.cells : one.problem.detail))).toEqual([
      expect.stringContaining('carriage return') as string,
      ['e', 'f'],
    ]);
  });

  it('reports everything that it does not read, whatever the content (S7)', () => {
    const piece = fc.constantFrom('a', 'b1', ',', '"', '\n', '\r', '\r\n', ' ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const content = pieces.join('');
        const rows = rowsOf(content);
        if (rows.some((row) => 'problem' in row)) return;
        const letters = (text: string): string => text.replaceAll(/[^ab1]/g, '');
        expect(letters(rows.map((row) => ('cells' in row ? row.cells.join() : '')).join())).toBe(
          letters(content),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('rejects a row that is longer than a line may be (S7)', () => {
    const filling = Array.from({ length: 20 }, () => 'x'.repeat(LINE_BYTES_MAX / 16));
    const rows = rowsOf(['"a', ...filling, 'b'].join('\n'));
    expect('problem' in rows[0]!).toBe(true);
    expect(rows.slice(1).every((row) => 'cells' in row)).toBe(true);
    expect(rows).toHaveLength(filling.length + 2);
  });
});
