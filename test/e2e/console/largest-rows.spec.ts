import fc from 'fast-check';
import { signInAsOperator } from '../../support/console.js';
import { startService, unique, type AccountPair, type World } from '../../support/service.js';
import { setUp } from '../../support/set-up.js';
import { waitUntil } from '../../support/wait-until.js';

const service = setUp(() => startService({ CONSOLE: 'on', SANDBOX_VENDOR: 'on' }));
const operator = setUp(() => signInAsOperator(service));

type Account = World & { ref: AccountPair };

const many = <Row>(count: number, of: (n: number) => Row): Row[] =>
  Array.from({ length: count }, (_, n) => of(n));

/** Fill an account with rows as large as the contract permits (choice T14), of one character, which pages and addresses escape. */
async function fill({ token, ref }: Account, one: string): Promise<void> {
  const text = (count: number): string => one.repeat(count);
  const id = (n: number): string =>
    Array.from(`${n}${text(128)}`)
      .slice(0, 128)
      .join('');
  const path = (n: number): string => `${n}/${text(Math.floor(1_000 / Buffer.byteLength(one)))}`;
  const documents = { document_paths: many(100, (n) => ({ document_path: path(n) })) };
  const body = text(Math.min(49_000, 140_000 / Buffer.byteLength(one)));
  const post = async (route: string, items: object, headers = {}): Promise<number> =>
    (await service.post(route, token, { ...ref, ...items }, headers)).status;
  const notes = many(12, (n) => ({ body: `${n}${body}`, is_pinned: n % 2 === 0, ...documents }));
  expect(await post('notes/create/', { notes })).toBe(201);
  const days = { start_date: '2026-01-01', end_date: '2026-01-31' };
  const line = {
    ...days,
    number_of_units: 1234567.12345,
    net_amount: 12.5,
    units: [1, 2, 3, 4],
    rate_band: one,
  };
  const tax = { amount: 1, tax_type: text(128), value_taxed: 1, rate: 1, unit_type: 'PROPORTION' };
  const texts = {
    reference: text(512),
    display_note: text(5_000),
    note: text(5_000),
    product_code: text(128),
  };
  const transactions = many(60, (n) => ({
    ...{
      transaction_id: id(n),
      transaction_date: '2026-02-01',
      amount: -1.25,
      type: 'SUPPLY_CHARGE',
      ...texts,
    },
    // That of 9 is the first of the list.
    ...{ line_items: many(n === 9 ? 1_000 : 1, () => line), tax_items: many(n === 9 ? 100 : 1, () => tax) },
  }));
  expect(await post('transactions/create/', { transactions })).toBe(201);
  const period = { bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31' };
  const statements = many(60, (n) => ({
    ...period,
    statement_id: id(n),
    number: id(n),
    statement_path: path(n),
  }));
  expect(await post('historical-statements/create/', { statements })).toBe(201);
  const requestId = unique('refused');
  const refused = { transactions: many(20, (n) => ({ transaction_id: `${n}${text(60)}`, amount: 'x' })) };
  for (let n = 0; n < 30; n += 1) {
    const instruction = { vendor: 'SANDBOX', type: 'CARD', reference: `ok_${n}${text(250)}` };
    expect(await post('payment-instruction/create/', instruction)).toBe(201);
    expect(await post('transactions/create/', refused, { 'x-request-id': requestId })).toBe(400);
  }
  // As vendors and operators might leave it.
  const values = [ref.external_account_number, one, ref.import_supplier];
  await service.database.sql(
    `WITH changed AS (
       UPDATE payment_instruction SET details = jsonb_build_object('kind', repeat($2, 50000)) WHERE external_account_number = $1)
     INSERT INTO audit_entry (operator, action, subject, import_supplier, external_account_number, details)
     SELECT 'o', 'account.set_period', $3, $3, $1, jsonb_build_object('reason', repeat($2, 50000)) FROM generate_series(1, 60)`,
    values,
  );
  await waitUntil('the refusals are recorded', async () => {
    const rows = await service.database.sql('SELECT FROM import_refusal WHERE request_id = $1', [requestId]);
    return rows.length === 30;
  });
}

/** Every page to which that of the account leads, one of each sort, and its bytes. */
async function* pages({
  import_supplier: code,
  external_account_number: number,
}: AccountPair): AsyncGenerator<[string, number]> {
  const sorts = new Set<string>();
  const open = [`/console/suppliers/${code}/accounts/${encodeURIComponent(number)}`];
  for (let address = open.shift(); address !== undefined; address = open.shift()) {
    const { pathname, searchParams } = new URL(address, service.baseUrl);
    const [parameter = '', ...further] = searchParams.keys();
    const sort = pathname.replaceAll(/[^/]{24,}|\d+/g, '_') + parameter;
    if (sorts.has(sort) || further.length > 0 || /\/documents\/|\.csv/.test(pathname)) continue;
    sorts.add(sort);
    const { status, html, document } = await operator.get(address);
    expect([address, status]).toEqual([address, 200]);
    yield [address, Buffer.byteLength(html)];
    for (const link of document.querySelectorAll('a[href^="/console/"]'))
      open.push((link.getAttribute('href') ?? '').replaceAll('&amp;', '&').replace(/#.*/, ''));
  }
}

it('has less than 2 MiB on every page of the console, of an account with the largest rows (C5)', async () => {
  const sign = fc.constantFrom('&', '"', '<', '😀', 'é', 'x');
  await fc.assert(
    fc.asyncProperty(sign, async (one) => {
      const number = Array.from(`${unique('n')}${one.repeat(128)}`)
        .slice(0, 128)
        .join('');
      const world = await service.given.importedAccount({ number });
      await fill(world, one);
      for await (const [address, bytes] of pages(world.ref))
        expect([address, bytes < 2_097_152]).toEqual([address, true]);
    }),
    { numRuns: 2, endOnFailure: true, examples: [['😀'], ['&']] },
  );
});
