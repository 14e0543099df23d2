import { readFile } from 'node:fs/promises';

const rows = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${letter}${n + 1}`);

/** Every row of the contract. */
const CONTRACT = [
  ...rows('T', 16),
  ...rows('A', 9),
  ...rows('S', 8),
  ...rows('N', 4),
  ...rows('X', 9),
  ...rows('H', 3),
  ...rows('P', 6),
  ...rows('F', 4),
  'R1',
];

/** Whether a text in parentheses, as test names end with, holds a row: `(T4, T16)`, `(X1 to X3)`. */
function names(text: string, row: string): boolean {
  const letter = row.slice(0, 1);
  const number = Number(row.slice(1));
  return [...text.matchAll(/\(([^()\n]*)\)'/g)].some(([, inside = '']) => {
    if (new RegExp(`\\b${row}\\b`).test(inside)) return true;
    const range = new RegExp(`\\b${letter}(\\d+) to ${letter}(\\d+)\\b`).exec(inside);
    return range !== null && Number(range[1]) <= number && number <= Number(range[2]);
  });
}

it('docs/choices.md has every row of the contract, each with a test that names it', async () => {
  const page = await readFile('docs/choices.md', 'utf8');
  const listed = page
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, row = '']) => /^[A-Z]\d+$/.test(row));
  expect(listed.map(([, row]) => row).sort()).toEqual([...CONTRACT].sort());
  const unproved: string[] = [];
  for (const cells of listed) {
    const [row = '', file = ''] = [cells[1], cells.at(-2)?.replaceAll('`', '')];
    if (!names(await readFile(file, 'utf8'), row)) unproved.push(`${row} in ${file}`);
  }
  expect(unproved).toEqual([]);
});
