import { readFileSync } from 'node:fs';
import { filesIn, filesOfPackages } from './sources.js';

const rows = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${letter}${n + 1}`);

/** Every question that the specification leaves open. */
const QUESTIONS = [
  ...rows('T', 17),
  ...rows('A', 9),
  ...rows('S', 8),
  ...rows('N', 4),
  ...rows('X', 9),
  ...rows('H', 3),
  ...rows('P', 6),
  ...rows('F', 4),
  'R1',
  'S9',
  'S10',
  ...rows('O', 10),
  ...rows('C', 9),
  ...rows('L', 13),
  ...rows('V', 9),
];

/** The rows of the page, and the file of tests that each of them names. */
const listed = readFileSync('docs/choices.md', 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .flatMap((cells) => {
    const [, anchor, row = ''] = /^<a id="(\w+)"><\/a>([A-Z]\d+)$/.exec(cells[1] ?? '') ?? [];
    return anchor === undefined ? [] : [{ anchor, row, test: cells.at(-2)?.replaceAll('`', '') ?? '' }];
  });

/** Whether a text in parentheses at the end of a test's name holds a row: `(T4, T16)`, `(X1 to X3)`. */
function names(text: string, row: string): boolean {
  const letter = row.slice(0, 1);
  const number = Number(row.slice(1));
  return [...text.matchAll(/\(([^()\n]*)\)'/g)].some(([, inside = '']) => {
    if (new RegExp(`\\b${row}\\b`).test(inside)) return true;
    const range = new RegExp(`\\b${letter}(\\d+) to ${letter}(\\d+)\\b`).exec(inside);
    return range !== null && Number(range[1]) <= number && number <= Number(range[2]);
  });
}

describe('docs/choices.md', () => {
  it('has a row for every question, with an anchor of the same name', () => {
    expect(listed.map(({ row }) => row).sort()).toEqual([...QUESTIONS].sort());
    expect(listed.filter(({ row, anchor }) => anchor !== row.toLowerCase())).toEqual([]);
  });

  it('names a test file for each row, in which the name of a test ends with the row', () => {
    const tests = [...filesIn('test'), ...filesOfPackages()].filter(({ path }) => path.endsWith('.spec.ts'));
    const unproved = listed.flatMap(({ row, test }) => {
      const proofs = tests.filter(({ text }) => names(text, row)).map(({ path }) => path);
      if (proofs.includes(test)) return [];
      return [`${row} is not in ${test}, but in ${proofs.join(', ') || 'no test'}`];
    });
    expect(unproved).toEqual([]);
  });
});
