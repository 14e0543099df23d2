import fc from 'fast-check';
import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import { removeFolders } from '../../../test/support/folders.js';
import { accounts, LoaderWorld } from './support/loader.js';

const service = setUp(sharedService);

const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2090-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const moment = fc
  .tuple(
    day,
    fc.constantFrom('00:00:00', '23:59:59'),
    fc.constantFrom('', '.5', '.123456789'),
    fc.constantFrom('Z', '+05:30', '-23:59'),
  )
  .map(([date, time, fraction, offset]) => `${date}T${time}${fraction}${offset}`);

const text = (minLength: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('a"b\\', 'é€😀 ', 'tab\t\u0001', ' '),
    fc.string({ unit: 'grapheme', minLength, maxLength: 12 }),
  );

/** The text of a number, as someone may write it. */
const number = fc.oneof(
  fc.constantFrom('0', '-0', '-0.0', '1e2', '10.50', '1E-7', '0.0000000001', '123456789012345', '100e-2'),
  fc
    .tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.nat(99_999))
    .map(([whole, part]) => `${whole}.${part}`),
);

const amount = fc.oneof(
  fc.constantFrom('0', '-0', '1e2', '10.50', '-0.07', '999999999999.99'),
  fc.tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.nat(99)).map(([whole, part]) => `${whole}.${part}`),
);

/** JSON text of an object: values are JSON texts, absent where undefined. */
type Texts = Readonly<Record<string, string | undefined>>;

const quoted = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<string> =>
  value.map((one) => JSON.stringify(one));
const optional = (value: fc.Arbitrary<string>): fc.Arbitrary<string | undefined> =>
  fc.option(value, { nil: undefined });
const objectText = (members: Texts): string =>
  `{${Object.entries(members)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${JSON.stringify(name)}:${value}`]))
    .join(', ')}}`;
const listOf = (value: fc.Arbitrary<string>, minLength = 0): fc.Arbitrary<string> =>
  fc.array(value, { minLength, maxLength: 3 }).map((values) => `[${values.join(' ,')}]`);

const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const paths = quoted(
  fc.array(fc.record({ document_path: fc.constantFrom('a b.pdf', 'x/ü.pdf', 'c.pdf') }), {
    minLength: 1,
    maxLength: 3,
  }),
);

const note = fc.oneof(
  fc.record({ body: quoted(text(1).filter((body) => body !== '')), document_paths: optional(paths) }),
  fc.record({ body: fc.constantFrom('""', undefined), document_paths: paths }),
);
const notes = fc
  .tuple(
    note,
    fc.record({
      created_at: optional(quoted(moment)),
      is_pinned: fc.constantFrom('true', 'false', undefined),
    }),
    fc.constantFrom(undefined, '"2099-01-01T00:00:00.9+01:00"'),
  )
  .map(([one, more, end]) => ({ ...one, ...more, unpin_at: end }));

const lineItem = fc
  .record({
    rate_band: optional(quoted(ids)),
    start_date: fc.constant('"2026-01-01"'),
    end_date: quoted(day.filter((date) => date >= '2026-01-01')),
    number_of_units: number,
    net_amount: number,
    price_per_unit: optional(number),
    units: optional(listOf(number)),
  })
  .map(objectText);
const taxItem = fc
  .record({
    amount: number,
    tax_type: quoted(ids),
    value_taxed: number,
    rate: number,
    unit_type: fc.constantFrom('"PROPORTION"', '"CURRENCY_PER_KWH"'),
  })
  .map(objectText);
const transactions = fc.record({
  transaction_id: quoted(ids),
  // Most are outside the open statement period, and moved.
  transaction_date: quoted(day),
  amount,
  type: fc.constantFrom('"CHARGE"', '"CREDIT"', '"SUPPLY_CHARGE"'),
  reason: optional(fc.constant('"IMPORTED_CHARGE"')),
  reference: optional(quoted(text(1).filter((value) => value !== ''))),
  display_note: optional(quoted(text(0))),
  note: optional(quoted(text(0))),
  product_code: fc.constant('"P"'),
  line_items: listOf(lineItem, 1),
  tax_items: optional(listOf(taxItem)),
});

const statements = fc.record({
  statement_id: quoted(ids),
  bill_period_from_date: fc.constant('"1990-01-01"'),
  bill_period_to_date: quoted(day),
  issued_date: optional(quoted(day)),
  number: optional(quoted(ids)),
  gross_amount: optional(number),
  statement_path: optional(fc.constant('"a b.pdf"')),
});

const instructions = fc.record({
  vendor: fc.constant('"SANDBOX"'),
  reference: quoted(ids.map((id) => `ok_${id}`)),
  type: fc.constant('"CARD"'),
});

/** One row a key of an account, and some of them a second time. */
function rowsOf(
  items: fc.Arbitrary<Texts>,
  keyOf: (item: Texts) => string,
): fc.Arbitrary<readonly (readonly [account: number, item: Texts])[]> {
  const row = fc.tuple(fc.nat(2), items);
  return fc
    .uniqueArray(row, { maxLength: 8, selector: ([account, item]) => `${account} ${keyOf(item)}` })
    .chain((rows) => fc.subarray(rows).map((again) => [...rows, ...again]));
}

const folder = fc.record({
  // Notes of one text: which one a later note without date-time repeats is shown elsewhere.
  notes: rowsOf(notes, ({ body, document_paths: list }) =>
    body === undefined || body === '""' ? (list ?? '') : body,
  ),
  transactions: rowsOf(transactions, ({ transaction_id: id }) => id ?? ''),
  statements: rowsOf(statements, ({ statement_id: id }) => id ?? ''),
  'payment-instructions': rowsOf(instructions, ({ reference }) => reference ?? ''),
});

describe('rows of any content', () => {
  it('are all there after a load, and stay what they were (V3, V9)', async () => {
    await fc.assert(
      fc.asyncProperty(folder, fc.constantFrom(1, 500), async (kinds, items) => {
        const numbers = accounts(3);
        const files = Object.entries(kinds).map(([kind, rows]) => [
          `${kind}.ndjson`,
          rows
            .map(([account, item]) => {
              const number = JSON.stringify(numbers[account]);
              return `${objectText({ ...item, external_account_number: number })}\n`;
            })
            .join(''),
        ]);
        const given = await LoaderWorld.create(
          service,
          numbers,
          Object.fromEntries(files) as Record<string, string>,
        );
        const moving = ['--force-add-to-current-statement', 'true'];
        const { result } = await given.json('load', ['--items-per-request', String(items), ...moving]);
        expect(result.groups).toEqual([]);
        const verified = await given.verify();
        expect(verified.result.differences).toEqual([]);
        expect(verified.code).toBe(0);
        removeFolders();
      }),
      { numRuns: 12 },
    );
  });
});
