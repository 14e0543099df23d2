import { newestOf } from './newest.js';

const at = (second: number, id = `id-${second}`) => ({ id, at: new Date(second * 1_000) });

describe('the newest of two lists', () => {
  it('are in the order of time, newest first, at most so many', () => {
    expect(newestOf([at(9), at(5)], [at(7), at(6), at(1)], 4)).toEqual([at(9), at(7), at(6), at(5)]);
  });

  it('of the same time are in the order of their ids', () => {
    const [one, other] = [at(1, 'a'), at(1, 'b')];
    expect(newestOf([one], [other], 2)).toEqual([other, one]);
    expect(newestOf([other], [one], 2)).toEqual([other, one]);
  });

  it('of no list are none', () => {
    expect(newestOf([], [], 100)).toEqual([]);
  });
});
