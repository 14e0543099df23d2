import { toBoolean, toInteger, undecodableParameters } from './query.js';

describe('toBoolean', () => {
  it.each([
    [true, ['true', 'TRUE', 'tRuE', '1']],
    [false, ['false', 'False', '0']],
  ])('reads %j from %j (T11)', (value, texts) => {
    expect(texts.map(toBoolean)).toEqual(texts.map(() => value));
  });

  it('leaves anything else as it is (T11)', () => {
    const others = ['', 'yes', '2', ' true', ['true', 'true']];
    expect(others.map(toBoolean)).toEqual(others);
  });
});

describe('toInteger', () => {
  it.each([
    { '0': 0, '10000': 10_000, '-1': -1, '007': 7, '00000000000000000000001': 1 },
    { '999999999999999': 999_999_999_999_999, '1000000000000000': 1_000_000_000_000_000 },
    { ['9'.repeat(400)]: Number.MAX_VALUE, [`-${'9'.repeat(400)}`]: -Number.MAX_VALUE },
  ])('reads %j (S5)', (numbers) => {
    expect(Object.keys(numbers).map(toInteger)).toEqual(Object.values(numbers));
  });

  it('leaves anything else as it is (S5)', () => {
    const others = ['1.5', '1e3', '0x10', '', ' 1', ['1', '2']];
    expect(others.map(toInteger)).toEqual(others);
  });
});

describe('undecodableParameters', () => {
  it.each([
    ['/list/', []],
    ['/list/%ff/', []],
    ['/list/?after=plain&limit=1', []],
    ['/list/?after=%C3%A4&limit=%31', []],
    ['/list/?after=%E4', ['after']],
    ['/list/?limit=1&after=50%', ['after']],
    ['/list/?after=%zz&after=a&%6Cimit=%ff', ['after', 'limit']],
    ['/list/?%ff=1&%', ['%ff', '%']],
  ])('of %s are %j (T11)', (url, names) => {
    expect(undecodableParameters(url)).toEqual(names);
  });
});
