import { table } from './table.js';

describe('a table for an operator', () => {
  it('has columns two spaces apart and nothing at the ends of its lines (section 6)', () => {
    const rows = [
      ['ACME', 1],
      ['A', 1_234],
    ];
    expect(table(['Code', 'Accounts'], rows)).toBe('Code  Accounts\nACME  1\nA     1234');
    expect(table(['Code', 'Accounts'], [])).toBe('Code  Accounts');
    expect(table([], rows)).toBe('ACME  1\nA     1234');
  });

  it.each(['\x1b[2J', '\x07', 'a\nb', 'a\rb', '\x7f', '\x9b31m', '\0'])(
    'cannot be made to steer the terminal by %j, whatever a supplier sent (section 6)',
    (cell) => {
      const shown = table([], [[cell, 'next']]);
      expect(shown).toBe(`${cell.replace(/[\0-\x1f\x7f-\x9f]/g, '\uFFFD')}  next`);
      expect(shown).not.toContain(cell);
    },
  );
});
