import { newestFirst } from './newest-first.js';

/** Entries with these times, newest first. */
async function* at(times: readonly number[], onEnd = (): void => undefined): AsyncGenerator<{ at: Date }> {
  try {
    for (const time of times) yield await Promise.resolve({ at: new Date(time) });
  } finally {
    onEnd();
  }
}

describe('two merged lists', () => {
  it.each([
    [[], [], []],
    [[3, 1], [], [3, 1]],
    [[], [2], [2]],
    [
      [9, 7, 2],
      [8, 7, 1],
      [9, 8, 7, 7, 2, 1],
    ],
  ])('%j and %j are %j (O6)', async (one, other, expected) => {
    const merged: number[] = [];
    for await (const { at: time } of newestFirst(at(one), at(other))) merged.push(time.getTime());
    expect(merged).toEqual(expected);
  });

  it('reads each list only as far as needed (O6)', async () => {
    let ended = 0;
    const end = (): void => {
      ended += 1;
    };
    for await (const { at: time } of newestFirst(at([5, 3, 1], end), at([4, 2], end))) {
      if (time.getTime() === 4) break;
    }
    expect(ended).toBe(2);
  });
});
