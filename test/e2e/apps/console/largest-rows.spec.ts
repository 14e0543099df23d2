import { signInAsOperator } from '../../../support/console.js';
import { startService, unique, type AccountPair, type World } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { waitUntil } from '../../../support/wait-until.js';

const service = setUp(() => startService({ CONSOLE: 'on', SANDBOX_VENDOR: 'on' }));
const operator = setUp(() => signInAsOperator(service));

const many = <Row>(count: number, of: (n: number) => Row): Row[] =>
  Array.from({ length: count }, (_, n) => of(n));

/** A text with the largest output: half of its characters are escaped in pages, the others take twelve characters in addresses. */
const text = (characters: number): string => '&😀'.repeat(characters / 2);
const id = (n: number): string => `${n}${text(126)}`;
const path = (n: number): string => `${n}/${text(400)}`;

/** Fill an account with rows as large as the contract permits (choices T14, T19). */
async function fill({ token, ref }: World & { ref: AccountPair }): Promise<void> {
  const post = async (route: string, items: object, headers = {}): Promise<number> =>
    (await service.post(route, token, { ...ref, ...items }, headers)).status;
  const documents = { document_paths: many(100, (n) => ({ document_path: path(n) })) };
  const notes = many(12, (n) => ({ body: `${n}${text(49_900)}`, is_pinned: n % 2 === 0, ...documents }));
  expect(await post('notes/create/', { notes })).toBe(201);
  const days = { start_date: '2026-01-01', end_date: '2026-01-31' };
  const line = { ...days, number_of_units: 1234567.12345, net_amount: 12.5, units: [1, 2], rate_band: '&😀' };
  const tax = { amount: 1, tax_type: text(128), value_taxed: 1, rate: 1, unit_type: 'PROPORTION' };
  const transactions = many(52, (n) => ({
    ...{ transaction_id: id(n), transaction_date: '2026-02-01', amount: -1.25, type: 'SUPPLY_CHARGE' },
    ...{ reference: text(512), display_note: text(5_000), note: text(5_000), product_code: text(128) },
    // Transaction 9 is the first in the list.
    ...{ line_items: many(n === 9 ? 1_000 : 1, () => line), tax_items: many(n === 9 ? 100 : 1, () => tax) },
  }));
  expect(await post('transactions/create/', { transactions })).toBe(201);
  const period = { bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31' };
  const statements = many(52, (n) => ({
    ...period,
    statement_id: id(n),
    number: id(n),
    statement_path: path(n),
  }));
  expect(await post('historical-statements/create/', { statements })).toBe(201);
  const requestId = unique('refused');
  const refused = { transactions: many(20, (n) => ({ transaction_id: `${n}${text(60)}`, amount: 'x' })) };
  for (let n = 0; n < 12; n += 1) {
    const instruction = { vendor: 'SANDBOX', type: 'CARD', reference: `ok_${n}${text(250)}` };
    expect(await post('payment-instruction/create/', instruction)).toBe(201);
    expect(await post('transactions/create/', refused, { 'x-request-id': requestId })).toBe(400);
  }
  // As vendors and operators might fill it.
  await service.database.sql(
    `WITH changed AS (
       UPDATE payment_instruction SET details = jsonb_build_object('kind', repeat('&', 50000)) WHERE external_account_number = $1)
     INSERT INTO audit_entry (operator, action, subject, import_supplier, external_account_number, details)
     SELECT 'o', 'account.set_period', $2, $2, $1, jsonb_build_object('reason', repeat('&', 50000)) FROM generate_series(1, 52)`,
    [ref.external_account_number, ref.import_supplier],
  );
  await waitUntil('the refusals are recorded', async () => {
    const rows = await service.database.sql('SELECT FROM import_refusal WHERE request_id = $1', [requestId]);
    return rows.length === 12;
  });
}

it('every console page of an account with the largest rows has less than 2 MiB (C5)', async () => {
  const { ref, ...world } = await service.given.importedAccount({ number: `${unique('n')}${text(100)}` });
  await fill({ ...world, ref });
  const account = encodeURIComponent(ref.external_account_number);
  const open = [`/console/suppliers/${ref.import_supplier}/accounts/${account}`];
  /** The kinds of pages visited from the account's page, one page of each. */
  const sorts = new Set<string>();
  for (let address = open.shift(); address !== undefined; address = open.shift()) {
    const { pathname, searchParams } = new URL(address, service.baseUrl);
    const [parameter = '', ...further] = searchParams.keys();
    const sort = pathname.replaceAll(/[^/]{24,}|\d+/g, '_') + parameter;
    if (sorts.has(sort) || further.length > 0 || /\/documents\/|\.csv/.test(pathname)) continue;
    sorts.add(sort);
    const { status, html, document } = await operator.get(address);
    expect([address, status, Buffer.byteLength(html) < 2_097_152]).toEqual([address, 200, true]);
    for (const link of document.querySelectorAll('a[href^="/console/"]'))
      open.push((link.getAttribute('href') ?? '').replaceAll('&amp;', '&').replace(/#.*/, ''));
  }
  expect(sorts.size).toBeGreaterThan(15);
});
