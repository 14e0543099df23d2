import { createHash } from 'node:crypto';
import { namelessFiles } from '../../../test/support/nameless-files.js';
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
    const lines = new SortedLines(heldMax);
    const added = Array.from({ length: count }, (_, n) => lineOf(n % 997));
    for (const line of added) lines.add(line);
    expect(lines).toHaveLength(count);
    expect(await readBack(lines)).toEqual(added.toSorted());
    expect(await readBack(lines)).toEqual(added.toSorted());
    lines.clear();
    expect(await readBack(lines)).toEqual([]);
  });

  it('can be filled again once they are cleared, which closes their file', async () => {
    const before = namelessFiles();
    const lines = new SortedLines(10);
    for (let n = 0; n < 3; n += 1) lines.add(lineOf(n));
    lines.clear();
    lines.add(lineOf(7));
    expect(await readBack(lines)).toEqual([lineOf(7)]);
    lines.clear();
    expect(namelessFiles()).toBe(before);
  });

  it('ask before they make a file, once, and make none when that is refused', () => {
    const refusal = new Error('no more files');
    let asked = 0;
    const lines = new SortedLines(10, () => {
      asked += 1;
      if (asked === 1) throw refusal;
    });
    const before = namelessFiles();
    expect(() => {
      lines.add(lineOf(1));
    }).toThrow(refusal);
    expect(namelessFiles()).toBe(before);
    for (let n = 2; n < 5; n += 1) lines.add(lineOf(n));
    expect(asked).toBe(2);
    expect(namelessFiles()).toBe(before + 1);
    lines.clear();
  });
});
