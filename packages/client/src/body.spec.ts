import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { jsonText, serialise, SHAPES, type Shape } from './body.js';
import { InvalidInputError } from './errors.js';

interface Schema {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const { components } = JSON.parse(readFileSync('contract/openapi.json', 'utf8')) as {
  components: { schemas: Record<string, Schema> };
};

function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)!]!;
}

/** The shape that a schema of the contract has. */
function shapeOf(schema: Schema): Shape {
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, member]) => [name, resolved(member)] as const,
  );
  const named = (isIt: (member: Schema) => boolean): string[] =>
    members.filter(([, member]) => isIt(member)).map(([name]) => name);
  const numbers = named(({ type }) => type === 'number');
  const numberLists = named(({ items }) => items?.type === 'number');
  const lists = members
    .filter(([, { items }]) => items !== undefined && items.type !== 'number')
    .map(([name, { items }]) => [name, shapeOf(resolved(items!))] as const);
  return {
    ...(numbers.length > 0 && { numbers }),
    ...(numberLists.length > 0 && { numberLists }),
    ...(lists.length > 0 && { lists: Object.fromEntries(lists) }),
  };
}

/** Without lists that have no exact numbers; those of a body itself may have items that are JSON. */
function withoutPlainLists({ lists = {}, ...rest }: Shape, isBody = true): Shape {
  const kept = Object.entries(lists)
    .map(([name, shape]) => [name, withoutPlainLists(shape, false)] as const)
    .filter(([, shape]) => isBody || Object.keys(shape).length > 0);
  return { ...rest, ...(kept.length > 0 && { lists: Object.fromEntries(kept) }) };
}

/** Reads JSON without rounding: a number is its text in an object. */
function exactly(json: string): unknown {
  const number = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  return JSON.parse(
    json.replace(number, (token) => (token.startsWith('"') ? token : JSON.stringify({ number: token }))),
  );
}

it('the exact numbers are those of the contract', () => {
  for (const [name, shape] of Object.entries(SHAPES)) {
    expect({ name, ...shape }).toEqual({ name, ...withoutPlainLists(shapeOf(components.schemas[name]!)) });
  }
});

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
        expect(exactly(serialise(body, SHAPES.CreateTransactions))).toEqual(expected);
      }),
    );
  });

  it('omits members without a value', () => {
    const body = { transactions: [{ amount: '1.0', note: undefined, reference: 'r' }] };
    expect(serialise(body, SHAPES.CreateTransactions)).toBe(
      '{"transactions":[{"amount":1.0,"reference":"r"}]}',
    );
  });

  it('sends JSON text unchanged, as an item and as a whole body', () => {
    const item = '{ "amount": 0.10000000000000000001 }';
    expect(serialise({ transactions: [jsonText(item), { amount: 1 }] }, SHAPES.CreateTransactions)).toBe(
      `{"transactions":[${item},{"amount":1}]}`,
    );
    expect(serialise(jsonText(item), SHAPES.CreateTransactions)).toBe(item);
  });

  it.each(['', ' 1', '1 ', '01', '.5', '1.', '+1', '1,5', '0x1', 'NaN', 'Infinity', '1}', '1\n', '١'])(
    'refuses %j as a number, and names where it is',
    (amount) => {
      const body = { transactions: [{ amount: 1 }, { amount: 1, tax_items: [{ rate: amount }] }] };
      const refused = expect.objectContaining({
        code: 'invalid_input',
        attr: 'transactions.1.tax_items.0.rate',
      }) as Error;
      expect(() => serialise(body, SHAPES.CreateTransactions)).toThrow(InvalidInputError);
      expect(() => serialise(body, SHAPES.CreateTransactions)).toThrow(refused);
    },
  );

  it.each([NaN, Infinity, -Infinity])('refuses %d, which JSON does not have', (amount) => {
    expect(() => serialise({ transactions: [{ amount }] }, SHAPES.CreateTransactions)).toThrow(
      'transactions.0.amount',
    );
  });

  it('leaves text alone where the contract has text', () => {
    const body = { notes: [{ body: '12' }], external_account_number: '1001' };
    expect(serialise(body, SHAPES.CreateNotes)).toBe(JSON.stringify(body));
  });
});
