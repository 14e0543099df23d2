import { roundOrder } from './rounds.js';

describe('the order of a round', () => {
  it('lets each contender follow each other one equally often in twice as many rounds as contenders', () => {
    const rounds = Array.from({ length: 6 }, (_none, round) => roundOrder(round, ['A', 'B', 'C']).join(''));
    expect(rounds).toEqual(['ABC', 'CBA', 'BCA', 'ACB', 'CAB', 'BAC']);
    expect(roundOrder(6, ['A', 'B', 'C'])).toEqual(['A', 'B', 'C']);
  });
});
