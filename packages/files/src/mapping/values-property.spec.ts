import fc from 'fast-check';
import type { Fields } from '../fields/fields.js';
import { scaled } from '../values/amounts.js';
import { mappedField, type ColumnsSource } from './field-sources.js';

const OWNER: Fields = {
  name: 'transactions',
  types: new Map([
    ['amount', 'number'],
    ['transaction_id', 'text'],
  ]),
  required: [],
  lists: new Map(),
  row: { account: 'account', accountLengthMax: 128, key: [], keyOf: () => undefined },
};

function sourceOf(field: string, content: object): ColumnsSource {
  return mappedField(OWNER, field, content, 'fields') as ColumnsSource;
}

/** The number of minor units, with its sign, as a whole number. */
const unitsOf = (json: string): bigint => BigInt(json.replace('.', ''));

const DIGITS = fc.stringMatching(/^(0|[1-9]\d{0,20})$/);

describe('values of several columns and minor units', () => {
  it('scales any amount without losing or changing a digit (L11)', () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.constantFrom('', '-'), DIGITS, fc.stringMatching(/^\d{0,9}$/)),
        fc.integer({ min: 1, max: 9 }),
        ([sign, whole, fraction], places) => {
          const json = `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
          const result = scaled(json, places);
          expect(result).toMatch(/^-?(0|[1-9]\d*)\.\d+$/);
          expect(unitsOf(result)).toBe(unitsOf(json));
          expect(result.split('.')[1]).toHaveLength(fraction.length + places);
        },
      ),
    );
    expect(scaled('1.5e3', 2)).toBe('1.5e1');
  });

  it('reads a minus beside debit or credit as the mapping says, and never as something else (L11)', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[1-9]\d{0,9}\.\d\d$/),
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom('sign', 'reversal', undefined),
        (size, isCredit, hasMinus, minus) => {
          const { read } = sourceOf('amount', { debit: 'D', credit: 'C', ...(minus && { minus }) });
          const cell = `${hasMinus ? '-' : ''}${size}`;
          const value = read(isCredit ? ['', cell] : [cell, '0.00']);
          if (hasMinus && minus === undefined) expect(value).toHaveProperty('problem');
          else expect(value).toBe(isCredit !== (hasMinus && minus === 'reversal') ? `-${size}` : size);
        },
      ),
    );
  });

  it('joins texts as they are written, and none without the others (L11)', () => {
    const text = fc.oneof(fc.constantFrom('', ' '), fc.string());
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 2, maxLength: 4 }),
        fc.constantFrom('', '-', ' '),
        (cells, between) => {
          const join = cells.map((_, index) => `C${index}`);
          const value = sourceOf('transaction_id', { join, with: between }).read(cells);
          const empty = cells.filter((cell) => cell.trim() === '').length;
          if (empty === 0) expect(value).toBe(JSON.stringify(cells.join(between)));
          else if (empty === cells.length) expect(value).toBeUndefined();
          else expect(value).toHaveProperty('problem');
        },
      ),
    );
  });
});
