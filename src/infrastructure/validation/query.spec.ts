import { toBoolean, toInteger, undecodableParameters } from './query.js';

describe('toBoolean', () => {
  it.each([
    ['true', true],
    ['TRUE', true],
    ['tRuE', true],
    ['1', true],
    ['false', false],
    ['False', false],
    ['0', false],
    ['', ''],
    ['yes', 'yes'],
    ['2', '2'],
    [' true', ' true'],
    [
      ['true', 'true'],
      ['true', 'true'],
    ],
  ])('reads %j as %j (T11)', (text, value) => {
    expect(toBoolean(text)).toEqual(value);
  });
});

describe('toInteger', () => {
  it.each([
    ['0', 0],
    ['10000', 10_000],
    ['-1', -1],
    ['007', 7],
    ['999999999999999', 999_999_999_999_999],
    ['1000000000000000', 1_000_000_000_000_000],
    ['00000000000000000000001', 1],
    ['9'.repeat(400), Number.MAX_VALUE],
    [`-${'9'.repeat(400)}`, -Number.MAX_VALUE],
    ['1.5', '1.5'],
    ['1e3', '1e3'],
    ['0x10', '0x10'],
    ['', ''],
    [' 1', ' 1'],
    [
      ['1', '2'],
      ['1', '2'],
    ],
  ])('reads %j as %j (S5)', (text, value) => {
    expect(toInteger(text)).toEqual(value);
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
