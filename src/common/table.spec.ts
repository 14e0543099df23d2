import { table } from './table.js';

describe('a table for a terminal', () => {
  it('lets no cell steer the terminal (6)', () => {
    const cell = 'A\u001b[2J\u0007\u009b31m\r\nB';
    expect(table(['Account'], [[cell]])).toBe('Account\nA\uFFFD[2J\uFFFD\uFFFD31m\uFFFD\uFFFDB');
  });
});
