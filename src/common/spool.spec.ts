import { Spool } from './spool.js';

describe('Spool', () => {
  it.each([0, 1, 9_999, 10_000, 25_001])(
    'gives back %i items in their order, as often as it is asked (S7)',
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
});
