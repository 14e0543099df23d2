import { inTurnOf } from './rounds.js';

describe('the order of a round', () => {
  it('puts everybody behind everybody else equally often, in twice as many rounds as there are contenders', () => {
    const rounds = Array.from({ length: 6 }, (_none, round) => inTurnOf(round, ['A', 'B', 'C']).join(''));
    expect(rounds).toEqual(['ABC', 'CBA', 'BCA', 'ACB', 'CAB', 'BAC']);
    expect(inTurnOf(6, ['A', 'B', 'C'])).toEqual(['A', 'B', 'C']);
  });
});
