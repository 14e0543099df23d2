import { changedValues } from './changed-values.js';

describe('the changed values of a change', () => {
  it.each([
    [{ a: 1 }, { a: 1 }, undefined],
    [{ a: null }, { a: null }, undefined],
    [
      { a: 1, b: 'x' },
      { a: 1, b: 'y' },
      { from: { b: 'x' }, to: { b: 'y' } },
    ],
    [
      { a: null, b: 'x' },
      { a: false, b: null },
      { from: { a: null, b: 'x' }, to: { a: false, b: null } },
    ],
  ])('between %j and %j are %j (O6)', (before, after, expected) => {
    expect(changedValues(before, after)).toEqual(expected);
  });
});
