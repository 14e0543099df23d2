import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { Budget } from '../budget/budget.js';
import { AppError } from '../common/errors.js';
import { readEnvironment } from '../config/env.js';
import { SortedLines } from './sorted-lines.js';

const lineOf = (n: number): string => `${createHash('sha256').update(String(n)).digest('hex')} é ${n}`;

async function readBack(lines: SortedLines): Promise<string[]> {
  const read: string[] = [];
  for await (const list of lines.sorted()) read.push(...list);
  return read;
}

describe('sorted lines', () => {
  it.each([
    ['none', 0, 1_000],
    ['one', 1, 1_000],
    ['few, in memory', 100, 1_000_000],
    ['many, in memory', 10_001, 10_000_000],
    ['few, in the file', 100, 1_000],
    ['all of them in the file', 10, 1],
    ['many, in the file and in memory', 20_001, 300_000],
  ])('are read back in ascending order, as often as wanted: %s', async (_title, count, heldMax) => {
    const lines = new SortedLines(heldMax, undefined);
    const added = Array.from({ length: count }, (_, n) => lineOf(n % 997));
    for (const line of added) lines.add(line);
    expect(lines).toHaveLength(count);
    expect(await readBack(lines)).toEqual(added.toSorted());
    expect(await readBack(lines)).toEqual(added.toSorted());
    lines.clear();
    expect(await readBack(lines)).toEqual([]);
  });

  it('can be filled again once they are cleared, which closes their file', async () => {
    const openFiles = (): number => readdirSync('/dev/fd').length;
    const before = openFiles();
    const lines = new SortedLines(10, undefined);
    for (let n = 0; n < 3; n += 1) lines.add(lineOf(n));
    lines.clear();
    lines.add(lineOf(7));
    expect(await readBack(lines)).toEqual([lineOf(7)]);
    lines.clear();
    expect(openFiles()).toBeLessThanOrEqual(before);
  });

  it('refuse to fill the disk: what one holder has is bounded, and another one may write', () => {
    const budget = new Budget(readEnvironment({}));
    const of = (name: string): SortedLines => new SortedLines(0, { budget, name });
    const [first, second, other] = [of('a'), of('a'), of('b')];
    // 1 GiB, of which a quarter is one holder's.
    const write = (lines: SortedLines, count: number): void => {
      for (let n = 0; n < count; n += 1) lines.add('x'.repeat(4_194_304));
    };
    write(first, 65);
    expect(() => {
      write(second, 1);
    }).toThrow(AppError);
    write(other, 2);
    first.clear();
    write(second, 1);
    for (const lines of [second, other]) lines.clear();
    expect(budget.allotments.temporary_bytes.usedShare).toBe(0);
  });
});
