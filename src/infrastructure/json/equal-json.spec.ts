import { comparableJson } from './equal-json.js';

describe('comparableJson', () => {
  it.each([
    [
      'spaces and the order of members',
      '{"a":1,"b":[1,{"c":2,"d":3}]}',
      ' { "b" : [1, {"d":3,"c":2}] , "a" : 1 }',
    ],
    ['escapes', String.raw`{"a":"\u00e9\/"}`, '{"a":"é/"}'],
    ['ways to write a number', '[100, -0.5, 0, 1.50, 0.001]', '[1e2, -5E-1, -0.00, 15e-1, 1.0E-3]'],
    ['repeated members, of which the last counts', '{"a":1,"a":2}', '{"a":2}'],
    ['digits in texts and names', '{"1":"12","-2":"-3"}', '{"-2":"-3","1":"12"}'],
  ])('is the same for %s', (_name, one, other) => {
    expect(comparableJson(one)).toBe(comparableJson(other));
  });

  it.each([
    ['numbers that a double rounds', '[12345678901234567890]', '[12345678901234567891]'],
    ['signs', '[1]', '[-1]'],
    ['a number and a text', '[1]', '["1"]'],
    ['a number and its form in the comparison', '[1]', '["1e0"]'],
    ['the order of a list', '[1,2]', '[2,1]'],
    ['null and nothing', '{"a":null}', '{}'],
    ['the name __proto__', '{"__proto__":1}', '{}'],
  ])('differs for %s', (_name, one, other) => {
    expect(comparableJson(one)).not.toBe(comparableJson(other));
  });
});
