import { readFileSync } from 'node:fs';
import { startService, unique, type AccountPair, type World } from '../../../test/support/service.js';
import { setUp } from '../../../test/support/set-up.js';
import { jsonText } from '../src/body.js';
import { VERSION } from '../src/caller.js';
import { DataImportClient } from '../src/client.js';
import { givenClient } from './support/client.js';

const service = setUp(startService);
let client: DataImportClient;
let world: World;
let ref: AccountPair;

beforeAll(async () => {
  const account = await service.given.importedAccount({ from: '2026-11-01', to: '2026-11-30' });
  ({ ref } = account);
  world = account;
  ({ client } = await givenClient(service, account.organisationId));
});
afterAll(() => {
  client.close();
});

const day = '2026-11-02';
const stored = (table: string): Promise<object[]> =>
  service.database.sql(`SELECT * FROM ${table} ORDER BY external_account_number`);

async function collected<Element>(list: AsyncIterable<Element>): Promise<Element[]> {
  const elements: Element[] = [];
  for await (const element of list) elements.push(element);
  return elements;
}

it('has a method for every operation of the contract', () => {
  const { paths } = JSON.parse(readFileSync('contract/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const operations = Object.values(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  const methods = Object.getOwnPropertyNames(DataImportClient.prototype);
  expect(methods.sort()).toEqual([...operations, 'constructor', 'serviceVersion', 'viewer', 'close'].sort());
});

it('has the version of its package', () => {
  const { version } = JSON.parse(readFileSync('packages/client/package.json', 'utf8')) as { version: string };
  expect(VERSION).toBe(version);
});

it('adds notes, and reports in order which already exist (4.1)', async () => {
  const first = { body: 'First “quoted” 日本', created_at: '2026-11-02T09:30:00Z' };
  await client.createNotes({ ...ref, notes: [first] });
  const results = await client.createNotes({
    ...ref,
    notes: [jsonText('{"body": "Second"}'), first, { document_paths: [{ document_path: 'a/b.pdf' }] }],
  });
  expect(results.map(({ body, status }) => [body, status])).toEqual([
    ['Second', 'NOTE_CREATION_SUCCESS'],
    [first.body, 'NOTE_ALREADY_EXISTS'],
    ['', 'NOTE_CREATION_SUCCESS'],
  ]);
});

it('adds transactions with amounts as text, numbers and JSON, without rounding any (4.2)', async () => {
  const charge = { transaction_date: day, type: 'CHARGE', reason: 'IMPORTED_CHARGE' } as const;
  const lineItem = {
    start_date: day,
    end_date: day,
    number_of_units: '210.5000000001',
    net_amount: '12345.0123456789',
    price_per_unit: 0.25,
    units: ['1.10', 2],
  };
  const taxItem = {
    tax_type: 'VAT',
    unit_type: 'PROPORTION',
    amount: '2.63',
    value_taxed: 52.5,
    rate: '5e-2',
  } as const;
  const results = await client.createTransactions({
    ...ref,
    transactions: [
      { ...charge, transaction_id: 'T-1', amount: '999999999999.99' },
      { ...charge, transaction_id: 'T-2', amount: -0.1 },
      jsonText(`{"transaction_id":"T-3","transaction_date":"${day}","type":"CHARGE","amount":12.50}`),
      {
        ...{ transaction_id: 'T-4', transaction_date: day, type: 'SUPPLY_CHARGE', product_code: 'STANDARD' },
        ...{ amount: 1, line_items: [lineItem], tax_items: [taxItem] },
      },
    ],
  });
  expect(results.map(({ status }) => status)).toEqual(Array(4).fill('TRANSACTION_ADDED_TO_ACCOUNT'));
  expect(results.map(({ transaction_data: data }) => data.amount)).toEqual([
    '999999999999.99',
    '-0.10',
    '12.50',
    '1.00',
  ]);
  expect(results[3]?.transaction_data).toMatchObject({
    line_items: [{ number_of_units: 210.5000000001, net_amount: 12345.0123456789, units: [1.1, 2] }],
    tax_items: [{ rate: 0.05 }],
  });
});

it('passes on the options of transactions (4.2)', async () => {
  const transaction = {
    transaction_id: unique('T'),
    transaction_date: day,
    type: 'CHARGE',
    amount: 1,
  } as const;
  const create = (options: object): Promise<readonly { status: string }[]> =>
    client.createTransactions({ ...ref, transactions: [transaction] }, options);
  expect(await create({ dryRun: true })).toMatchObject([{ status: 'TRANSACTION_ADDED_TO_ACCOUNT' }]);
  expect(await create({})).toMatchObject([{ status: 'TRANSACTION_ADDED_TO_ACCOUNT' }]);
  expect(await create({})).toMatchObject([{ status: 'TRANSACTION_ALREADY_EXISTS' }]);
  expect(await create({ checkPreviouslyAdded: false })).toMatchObject([
    { status: 'TRANSACTION_ADDED_TO_ACCOUNT' },
  ]);
  const early = { ...transaction, transaction_id: unique('T'), transaction_date: '2026-10-01' };
  const [moved] = await client.createTransactions(
    { ...ref, transactions: [early] },
    { forceAddToCurrentStatement: true, dryRun: true },
  );
  expect(moved?.transaction_data.transaction_date).toBe('2026-11-01');
});

it('adds statements, and returns them as sent (4.3)', async () => {
  const statement = { statement_id: 'S-1', bill_period_from_date: day, bill_period_to_date: day };
  const payload = { ...ref, statements: [{ ...statement, gross_amount: '55.2600000001' }] };
  await client.createHistoricalStatements(payload, { dryRun: true });
  expect(await stored('statement')).toEqual([]);
  expect(await client.createHistoricalStatements(payload)).toEqual({
    ...ref,
    statements: [{ ...statement, gross_amount: 55.2600000001 }],
  });
  expect(await stored('statement')).toHaveLength(1);
});

it('attaches a payment instruction, given as an object or as JSON (4.4)', async () => {
  const instruction = { ...ref, vendor: 'SANDBOX', reference: 'ok_1', type: 'CARD' };
  const { reference } = await client.createPaymentInstruction(instruction);
  expect(reference).toBe('ok_1');
  const same = await client.createPaymentInstruction(jsonText(JSON.stringify(instruction)));
  expect(same).toMatchObject({
    reference: 'ok_1',
    service_account_number: expect.stringMatching(/^A-/) as string,
  });
});

it.each(['1002', 'a/b', 'ä % ?#&'])('returns the status of account %j (4.5)', async (name) => {
  const number = unique('') + name;
  await service.given.stagedAccount(world, number);
  expect(await client.getAccountTransferStatus(world.supplier, number)).toEqual({
    status: 'UNKNOWN',
    service_account_number: '',
  });
});

it('lists all, pending and imported accounts, as one stream and in pages, from the beginning and after an account (4.6 to 4.8)', async () => {
  const other = await service.given.supplier();
  const { client: own } = await givenClient(service, other.organisationId);
  expect(await collected(own.listAllAccountImportProcesses(other.supplier))).toEqual([]);
  const numbers = ['1', '10', '2', 'ä&?', '日本'];
  for (const number of numbers) await service.given.stagedAccount(other, number);
  await service.given.importedAccount({ world: other, number: '3' });
  const all = async (options = {}): Promise<string[]> =>
    (await collected(own.listAllAccountImportProcesses(other.supplier, options))).map(
      ({ external_account_number: number }) => number,
    );
  const expected = ['1', '10', '2', '3', 'ä&?', '日本'];
  expect(await all()).toEqual(expected);
  for (const pageSize of [1, 2, 3, 6, 10_000]) expect(await all({ pageSize })).toEqual(expected);
  expect(await all({ after: '2' })).toEqual(expected.slice(3));
  expect(await all({ after: 'ä&?', pageSize: 1 })).toEqual(expected.slice(5));
  const [imported] = await collected(own.listImportedAccountImportProcesses(other.supplier));
  expect(imported?.service_account_number.startsWith('A-')).toBe(true);
  const pending = await collected(own.listPendingAccountImportProcesses(other.supplier));
  expect(pending.map(({ service_account_number: number }) => number)).toEqual(Array(5).fill(null));
});

it('reads the content of one account, with its rows, and of all accounts (V1, V2)', async () => {
  const other = await service.given.supplier();
  const { client: own } = await givenClient(service, other.organisationId);
  await service.given.importedAccounts(other, ['1', 'ä&?', '日本']);
  const ref = { import_supplier: other.supplier, external_account_number: 'ä&?' };
  await own.createNotes({ ...ref, notes: [{ body: 'é', is_pinned: true }] });
  const account = await own.getAccountContent(other.supplier, 'ä&?');
  expect(account).toMatchObject({ external_account_number: 'ä&?', notes: { count: 1 } });
  expect(account.notes.rows).toBeUndefined();
  const { notes } = await own.getAccountContent(other.supplier, 'ä&?', { rows: true });
  expect(notes.rows?.map(({ content }) => content)).toEqual([{ body: 'é', is_pinned: true }]);
  const digested = await own.getAccountContent(other.supplier, 'ä&?', { rowDigests: true });
  expect(digested.notes.row_digests).toEqual(notes.rows?.map(({ digest }) => digest));
  for (const pageSize of [undefined, 1, 2]) {
    const options = { ...(pageSize && { pageSize }), rowDigests: true };
    expect((await collected(own.listAccountContents(other.supplier, options)))[1]).toEqual(digested);
    const all = await collected(own.listAccountContents(other.supplier, { ...(pageSize && { pageSize }) }));
    expect(all.map(({ external_account_number: number }) => number)).toEqual(['1', 'ä&?', '日本']);
    expect(all[1]).toEqual(account);
  }
  expect(await collected(own.listAccountContents(other.supplier, { after: 'ä&?' }))).toHaveLength(1);
});

it('returns the organisation that owns the key', async () => {
  const { organisation, importSuppliers } = await client.viewer();
  expect(organisation.id).toBe(world.organisationId);
  expect(importSuppliers).toEqual([{ code: world.supplier, name: world.supplier, status: 'ongoing' }]);
});
