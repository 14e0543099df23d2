import { readFileSync } from 'node:fs';
import { filesIn, filesOfPackages } from './sources.js';

const page = readFileSync('docs/choices.md', 'utf8');

/** The choices in the order of the page, and the file of tests that each of them names. */
const listed = page.split(/^(?=###? )/m).flatMap((section) => {
  const [, anchor, row] = /^### <a id="(\w+)"><\/a>([A-Z]\d+)\. .+\?$/m.exec(section) ?? [];
  const [, test = ''] = /^- Test: `(.+)`$/m.exec(section) ?? [];
  return anchor === undefined || row === undefined ? [] : [{ anchor, row, test, section }];
});

/** Whether a text in parentheses at the end of a test's name holds a choice: `(T4, T16)`, `(X1 to X3)`. */
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
  it('numbers the choices of each letter from 1 without a gap, with an anchor of the same name', () => {
    const letters = [...new Set(listed.map(({ row }) => row.slice(0, 1)))];
    const numbered = letters.flatMap((letter) =>
      listed.filter(({ row }) => row.startsWith(letter)).map((_, n) => `${letter}${n + 1}`),
    );
    expect(listed.map(({ row }) => row)).toEqual(numbered);
    expect(listed.filter(({ row, anchor }) => anchor !== row.toLowerCase())).toEqual([]);
    expect(listed.length).toBeGreaterThan(100);
  });

  it('gives each choice a question, an answer and a reason', () => {
    expect(page.match(/^### .*$/gm)).toHaveLength(listed.length);
    const incomplete = listed.filter(
      ({ section }) => !/^### .*\n\n(?!- Reason: )[\s\S]+?\n\n- Reason: ./.test(section),
    );
    expect(incomplete.map(({ row }) => row)).toEqual([]);
  });

  it('names a test file for each choice, in which the name of a test ends with the choice', () => {
    const tests = [...filesIn('test'), ...filesOfPackages()].filter(({ path }) => path.endsWith('.spec.ts'));
    const unproved = listed.flatMap(({ row, test }) => {
      const proofs = tests.filter(({ text }) => names(text, row)).map(({ path }) => path);
      if (proofs.includes(test)) return [];
      return [`${row} is not in ${test}, but in ${proofs.join(', ') || 'no test'}`];
    });
    expect(unproved).toEqual([]);
  });
});
