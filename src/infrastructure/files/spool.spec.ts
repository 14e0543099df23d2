import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Spool } from './spool.js';

describe('Spool', () => {
  it.each([0, 1, 9_999, 10_000, 25_001])(
    'returns %i items in order, as often as it is read (S7)',
    async (count) => {
      const spool = new Spool<{ n: number }>();
      for (let n = 0; n < count; n += 1) spool.add({ n });
      const readAll = async (): Promise<number[]> => {
        const read: number[] = [];
        for await (const { n } of spool) read.push(n);
        return read;
      };
      const expected = Array.from({ length: count }, (_, index) => index);
      expect(await readAll()).toEqual(expected);
      expect(await readAll()).toEqual(expected);
      expect(spool).toHaveLength(count);
      spool.dispose();
    },
  );

  it('leaves no file behind if the process is killed (S7)', () => {
    const { TMPDIR } = process.env;
    const folder = mkdtempSync(join(tmpdir(), 'data-import-test-spool-'));
    const spool = new Spool<number>();
    try {
      process.env.TMPDIR = folder;
      for (let n = 0; n < 10_000; n += 1) spool.add(n);
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      spool.dispose();
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
      rmdirSync(folder);
    }
  });

  it('keeps every line end of Unicode inside an item (S7)', async () => {
    const item = 'a\nb\rc\u0085d\u2028e\u2029f';
    const spool = new Spool<string>();
    for (let n = 0; n < 10_000; n += 1) spool.add(item);
    const read: string[] = [];
    for await (const one of spool.drain()) read.push(one);
    expect(read).toHaveLength(10_000);
    expect(new Set(read)).toEqual(new Set([item]));
  });
});
