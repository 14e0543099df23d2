import fc from 'fast-check';
import { jsonText, serialise } from './body.js';
import { REQUESTS } from './contract.generated.js';
import { InvalidInputError } from './errors.js';

const TRANSACTIONS = REQUESTS.createTransactions.shape;

/** Parse JSON without rounding: each number becomes an object with its text. */
function exactly(json: string): unknown {
  const number = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  return JSON.parse(
    json.replace(number, (token) => (token.startsWith('"') ? token : JSON.stringify({ number: token }))),
  );
}

const digits = (max: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: max }).map((list) => list.join(''));
const decimal = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.bigInt({ min: 0n }),
    fc.option(digits(20)),
    fc.constantFrom('', 'e3', 'E-2', 'e+10'),
  )
  .map(([sign, whole, part, exponent]) => `${sign}${whole}${part === null ? '' : `.${part}`}${exponent}`);
const number = fc.oneof(decimal, fc.double({ noNaN: true, noDefaultInfinity: true }));
const written = (value: number | string): { number: string } => ({
  number: typeof value === 'string' ? value : JSON.stringify(value),
});
const text = fc.string({ unit: 'binary' });

describe('serialise', () => {
  it('writes every number exactly as it was given, and everything else as JSON.stringify does', () => {
    const lineItem = fc.record(
      { net_amount: number, units: fc.array(number, { maxLength: 4 }), rate_band: text },
      { requiredKeys: [] },
    );
    const transaction = fc.record(
      { transaction_id: text, amount: number, line_items: fc.array(lineItem, { maxLength: 4 }), note: text },
      { requiredKeys: ['transaction_id'] },
    );
    fc.assert(
      fc.property(fc.array(transaction, { maxLength: 4 }), text, (transactions, account) => {
        const body = { import_supplier: 'A', external_account_number: account, transactions };
        const expected = {
          ...body,
          transactions: transactions.map(({ amount, line_items, ...rest }) => ({
            ...rest,
            ...(amount !== undefined && { amount: written(amount) }),
            ...(line_items !== undefined && {
              line_items: line_items.map(({ net_amount, units, ...others }) => ({
                ...others,
                ...(net_amount !== undefined && { net_amount: written(net_amount) }),
                ...(units !== undefined && { units: units.map(written) }),
              })),
            }),
          })),
        };
        expect(exactly(serialise(body, TRANSACTIONS))).toEqual(expected);
      }),
    );
  });

  it('omits members without a value', () => {
    const body = { transactions: [{ amount: '1.0', note: undefined, reference: 'r' }] };
    expect(serialise(body, TRANSACTIONS)).toBe('{"transactions":[{"amount":1.0,"reference":"r"}]}');
  });

  it('sends JSON text unchanged, as an item and as a whole body', () => {
    const item = '{ "amount": 0.10000000000000000001 }';
    expect(serialise({ transactions: [jsonText(item), { amount: 1 }] }, TRANSACTIONS)).toBe(
      `{"transactions":[${item},{"amount":1}]}`,
    );
    expect(serialise(jsonText(item), TRANSACTIONS)).toBe(item);
  });

  it.each(['', ' 1', '1 ', '01', '.5', '1.', '+1', '1,5', '0x1', 'NaN', 'Infinity', '1}', '1\n', '١'])(
    'rejects %j as a number, and names its path',
    (amount) => {
      const body = { transactions: [{ amount: 1 }, { amount: 1, tax_items: [{ rate: amount }] }] };
      const refused = expect.objectContaining({
        code: 'invalid_input',
        attr: 'transactions.1.tax_items.0.rate',
      }) as Error;
      expect(() => serialise(body, TRANSACTIONS)).toThrow(InvalidInputError);
      expect(() => serialise(body, TRANSACTIONS)).toThrow(refused);
    },
  );

  it.each([NaN, Infinity, -Infinity])('rejects %d, which JSON does not have', (amount) => {
    expect(() => serialise({ transactions: [{ amount }] }, TRANSACTIONS)).toThrow('transactions.0.amount');
  });

  it('leaves text alone where the contract has text', () => {
    const body = { notes: [{ body: '12' }], external_account_number: '1001' };
    expect(serialise(body, REQUESTS.createNotes.shape)).toBe(JSON.stringify(body));
  });
});
