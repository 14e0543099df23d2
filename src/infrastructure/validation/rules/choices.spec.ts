import type { Rule } from './rule.js';
import { catalogueValue, oneOf } from './choices.js';

const COLOURS = ['BLUE', 'BLACK', 'RED'];
const limits = { itemsMax: 0, catalogues: new Map([['colour', new Set(COLOURS)]]) };

describe.each<[string, Rule]>([
  ['one of a fixed set (X3)', oneOf(COLOURS)],
  ['a value of a catalogue (X3)', catalogueValue('colour')],
])('%s', (_name, rule) => {
  it.each<[unknown, string | undefined]>([
    ['BLUE', undefined],
    ['blue', 'invalid_choice'],
    ['GREEN', 'invalid_choice'],
    ['', 'blank'],
    [null, 'null'],
    [1, 'invalid'],
    [['BLUE'], 'invalid'],
  ])('%j: %s', (value, code) => {
    expect([rule.violation(value, limits) ?? []].flat()[0]?.code).toBe(code);
  });

  it.each([
    ['blu', 'Did you mean BLUE?'],
    ['BLAK', 'Did you mean BLACK or BLUE?'],
    ['x'.repeat(65), 'The value is not one of the allowed values.'],
  ])('names near matches of %s', (value, sentence) => {
    const [violation] = [rule.violation(value, limits) ?? []].flat();
    expect(violation?.detail?.endsWith(sentence)).toBe(true);
  });
});

it('accepts nothing while the catalogue is unknown', () => {
  expect(catalogueValue('size').violation('BLUE', limits)).toMatchObject({ code: 'invalid_choice' });
});
