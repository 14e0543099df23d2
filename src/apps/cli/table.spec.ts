import type { Table } from '../../infrastructure/commands/command-line.js';
import { drawTable } from './table.js';

async function drawn(table: Table): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of drawTable(table, false)) pieces.push(piece);
  return pieces.join('');
}

describe('a table for an operator', () => {
  it('has columns two spaces apart, grouped right-aligned numbers, and no trailing spaces (section 6)', async () => {
    const rows = [
      ['ACME', 1],
      ['A', 1_234],
    ];
    const head = ['Code', 'Accounts'];
    expect(await drawn({ head, rows })).toBe('Code  Accounts\nACME         1\nA        1,234');
    expect(await drawn({ head, rows: [] })).toBe('Code  Accounts');
    expect(await drawn({ head, rows: [], none: 'There is none.' })).toBe('There is none.');
    expect(await drawn({ head: [], rows })).toBe('ACME      1\nA     1,234');
  });

  it('of any length has one header, and every row once (section 6)', async () => {
    const rows = Array.from({ length: 2_000 }, (_, index) => [`${index}`]);
    const lines = (await drawn({ head: ['Row'], rows })).split('\n');
    expect(lines).toEqual(['Row', ...rows.flat()]);
  });

  it.each(['\x1b[2J', '\x07', 'a\nb', 'a\rb', '\x7f', '\x9b31m', '\0'])(
    'does not let a cell steer the terminal by %j (section 6)',
    async (cell) => {
      const text = await drawn({ head: [], rows: [[cell, 'next']] });
      expect(text).toBe(`${cell.replace(/[\0-\x1f\x7f-\x9f]/g, '\uFFFD')}  next`);
      expect(text).not.toContain(cell);
    },
  );
});
