import { drawTable } from './table.js';

describe('a table for an operator', () => {
  it('has columns two spaces apart, grouped right-aligned numbers, and no trailing spaces (section 6)', () => {
    const rows = [
      ['ACME', 1],
      ['A', 1_234],
    ];
    const head = ['Code', 'Accounts'];
    expect(drawTable({ head, rows }, false)).toBe('Code  Accounts\nACME         1\nA        1,234');
    expect(drawTable({ head, rows: [] }, false)).toBe('Code  Accounts');
    expect(drawTable({ head: [], rows }, false)).toBe('ACME      1\nA     1,234');
  });

  it.each(['\x1b[2J', '\x07', 'a\nb', 'a\rb', '\x7f', '\x9b31m', '\0'])(
    'does not let a cell steer the terminal by %j (section 6)',
    (cell) => {
      const text = drawTable({ head: [], rows: [[cell, 'next']] }, false);
      expect(text).toBe(`${cell.replace(/[\0-\x1f\x7f-\x9f]/g, '\uFFFD')}  next`);
      expect(text).not.toContain(cell);
    },
  );
});
