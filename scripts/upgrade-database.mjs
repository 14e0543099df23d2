// node scripts/upgrade-database.mjs: writes test/process/database-1.0.0.json.gz for test/process/upgrade.spec.ts: the schema and the rows
// of a service that has at least one row in every table, and what it answers. Run it until 1.0.0 is released, after each change of
// the migrations, and never again: later versions have to take over the database of that release.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { URLSearchParams } from 'node:url';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { commandsWith, senderOf, startOwn } from './own-service.mjs';
import { ROOT, prepare } from './prepare.mjs';

const FILE = join(ROOT, 'test/process/database-1.0.0.json.gz');
const SUPPLIER = 'NORTHERN';
const ORGANISATION = 'Northern Energy';
/** They have rows only while something runs, or at a limit. */
const OFTEN_EMPTY = ['account_erasure', 'erasure', 'import_lease', 'rate_limit', 'supplier_change'];
/** A period that ends in the past, so that today's date changes nothing. */
const PERIOD = { open_statement_from: '2026-01-01', open_statement_to: '2026-03-31' };
const CONTROL = {
  ...{ notes: 2, historical_statements: 2, payment_instructions: 1 },
  transactions: { count: 3, amount: 145.74 },
};

const STAGED = [
  { external_account_number: '1001', ...PERIOD, account: { name: 'Customer 1' }, control: CONTROL },
  { external_account_number: '1002', ...PERIOD, control: { notes: 5 } },
  { external_account_number: '1003', ...PERIOD, account: { name: 'erased' } },
  { external_account_number: '1006', ...PERIOD },
  { external_account_number: '1004', open_statement_to: '2025-01-31' },
];
const LATER = [{ external_account_number: '1005', ...PERIOD }];

const LINE = {
  ...{ rate_band: 'CONSUMPTION_STANDARD', start_date: '2026-01-01', end_date: '2026-01-31' },
  ...{ number_of_units: 400.5, net_amount: 100.125, price_per_unit: 0.25 },
};
const TAX = { amount: 5.01, tax_type: 'VAT', value_taxed: 100.125, rate: 0.05, unit_type: 'PROPORTION' };
const SUPPLY = { type: 'SUPPLY_CHARGE', product_code: 'STANDARD', line_items: [LINE], tax_items: [TAX] };
const CHARGE = { transaction_id: 'T-1', transaction_date: '2026-02-01', amount: 105.14, ...SUPPLY };
const PAYMENT = { transaction_id: 'T-2', transaction_date: '2026-02-02', type: 'PAYMENT', amount: 40.5 };
const CREDIT = { transaction_id: 'T-3', transaction_date: '2026-02-03', type: 'CREDIT', amount: 0.1 };
const BILL = { bill_period_from_date: '2025-11-01', bill_period_to_date: '2025-11-30' };
const INSTRUCTION = { vendor: 'SANDBOX', reference: 'ok_1', type: 'DIRECT_DEBIT' };

const of = (number) => ({ import_supplier: SUPPLIER, external_account_number: number });
const documents = (...paths) => paths.map((path) => ({ document_path: path }));
const notes = (number, ...list) => ['notes/create/', { ...of(number), notes: list }];
const transactions = (number, ...list) => ['transactions/create/', { ...of(number), transactions: list }];
const statements = (number, ...list) => [
  'historical-statements/create/',
  { ...of(number), statements: list },
];

/** The imports, of which the last is undone. */
const STORED = [
  notes(
    '1001',
    {
      body: 'Meter in the cellar',
      created_at: '2026-02-01T09:30:00Z',
      is_pinned: true,
      unpin_at: '2099-01-01T00:00:00Z',
    },
    { document_paths: documents('1001/letter.pdf', '1001/lost.pdf'), created_at: '2026-02-02T09:30:00Z' },
  ),
  transactions('1001', CHARGE, PAYMENT, CREDIT),
  statements(
    '1001',
    {
      statement_id: 'S-1',
      ...BILL,
      issued_date: '2025-12-02',
      number: '2025/1',
      gross_amount: 90.25,
      statement_path: '1001/letter.pdf',
    },
    { statement_id: 'S-2', ...BILL },
  ),
  ['payment-instruction/create/', { ...of('1001'), ...INSTRUCTION }],
  notes('1002', { body: 'Moved in on the first' }),
  notes('1002', { body: 'Of the wrong file' }),
];
const UNDONE_ID = 'wrong-file-1';
const REFUSED = [
  notes('1005', { body: 'Too early' }),
  transactions('1001', { ...PAYMENT, transaction_id: 'T-4', reason: 'GOODWILL' }),
  statements('1001', { statement_id: 'S-2', ...BILL, gross_amount: 1 }),
  ['payment-instruction/create/', { ...of('1002'), ...INSTRUCTION, reference: 'unknown_1' }],
];
const READ = [
  ...['1001', '1002', '1003', '1004', '1005', '1006', '9999'].map(
    (number) => `account-transfer-status/${SUPPLIER}/${number}/`,
  ),
  ...['all', 'pending', 'imported'].map((list) => `${list}-account-import-processes/${SUPPLIER}/`),
  `account-content/${SUPPLIER}/1001/?rows=true`,
  `account-contents/${SUPPLIER}/`,
];
const COMMANDS = [
  ['accounts', 'list', SUPPLIER],
  ...['1001', '1002'].map((number) => ['accounts', 'history', SUPPLIER, number]),
  ['audit', 'list'],
  ['catalogue', 'list'],
  ['imports', 'list', SUPPLIER],
  ['migration', 'differences', SUPPLIER],
  ['supplier', 'show', SUPPLIER],
  ['totals', 'check', SUPPLIER],
];

/** As TypeORM makes it. */
const RECORD_OF_MIGRATIONS =
  'CREATE TABLE migration (id serial PRIMARY KEY, timestamp bigint NOT NULL, name character varying NOT NULL)';
/** Every table with the columns that are not computed from others. */
const TABLES = `
  SELECT c.relname AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
   WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
   GROUP BY c.relname
   ORDER BY c.relname`;
const SEQUENCES =
  'SELECT sequencename AS name, last_value AS at FROM pg_sequences WHERE last_value IS NOT NULL';

const say = (sentence) => process.stdout.write(`${sentence}\n`);

prepare(say);
const dataDir = await mkdtemp(join(tmpdir(), 'data-import-upgrade-'));
const SETTINGS = {
  DATABASE_URL: '',
  DEMONSTRATION: 'off',
  PORT: '0',
  CONSOLE: 'on',
  LOG_LEVEL: 'warn',
  OPERATOR: 'Maria',
};
const settings = { ...process.env, ...SETTINGS, DATA_DIR: dataDir };
const command = commandsWith(settings);
const service = await startOwn(settings);
try {
  const keys = await load();
  const content = { keys, undone: STORED.at(-1), ...(await answersOf(keys)), ...(await database()) };
  const bytes = gzipSync(JSON.stringify(content), { level: 9 });
  await writeFile(FILE, bytes);
  say(`${FILE.slice(ROOT.length + 1)}: ${bytes.length} bytes`);
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function load() {
  const folder = join(dataDir, 'documents', 'northern', '1001');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'letter.pdf'), '%PDF-1.4\n');
  await command(['organisation', 'create', ORGANISATION]);
  for (const code of [SUPPLIER, 'GONE']) {
    await command([
      'supplier',
      'create',
      code,
      '--name',
      code,
      '--document-root',
      code.toLowerCase(),
      '--organisation',
      ORGANISATION,
    ]);
  }
  await command(['catalogue', 'add', 'reason', 'WINTER_AID']);
  await stage(STAGED);
  await command(['accounts', 'import', SUPPLIER]);
  await stage(LATER);
  const issue = ['api-key', 'issue', ORGANISATION, '--label'];
  const { key, id } = await command([...issue, 'tooling']);
  const revoked = await command([...issue, 'old']);
  await command(['api-key', 'revoke', revoked.id]);
  const platform = await command(['platform-key', 'issue', 'billing', '--expires-in', '36500d']);

  const send = await senderOf(service.url, key);
  for (const [path, body] of STORED.slice(0, -1)) expectStatus(201, await send(path, body), path);
  expectStatus(201, await send(...STORED.at(-1), { 'x-request-id': UNDONE_ID }), UNDONE_ID);
  expectStatus(201, await send(...notes('1003', { body: 'erased' })), '1003');
  for (const [path, body] of REFUSED) {
    const { status } = await send(path, body);
    if (status < 400) throw new Error(`${path} was answered ${status}.`);
  }
  await command([
    'supplier',
    'set',
    SUPPLIER,
    '--status',
    'paused',
    '--cut-over',
    '2026-12-01',
    '--quiet-after',
    '2d',
  ]);
  await command(['imports', 'undo', SUPPLIER, UNDONE_ID, '--reason', 'wrong file']);
  await command(['supplier', 'set', SUPPLIER, '--status', 'ongoing']);
  await command(['accounts', 'set-period', SUPPLIER, '1002', '--from', '2026-02-01']);
  await command(['documents', 'check', SUPPLIER]);
  expectStatus(
    201,
    await send(...notes('1002', { document_paths: documents('1002/not-looked-up.pdf') })),
    '1002',
  );
  await command(['accounts', 'erase', SUPPLIER, '1003', '--reason', 'asked for']);
  await readFeed(platform.key, '');
  await useConsole();
  return { supplier: key, supplierKeyId: id, platform: platform.key };
}

async function stage(accounts) {
  const file = join(dataDir, 'accounts.ndjson');
  await writeFile(file, accounts.map((account) => JSON.stringify(account)).join('\n'));
  await command(['accounts', 'stage', SUPPLIER, file]);
}

function expectStatus(wanted, { status, answer }, what) {
  if (status !== wanted) throw new Error(`${what} was answered ${status}: ${JSON.stringify(answer)}`);
}

/** Read the feed twice: the position of a reader is kept when it comes back with a cursor. */
async function readFeed(key) {
  const send = await senderOf(service.url, key);
  const path = `/v1/platform/import-suppliers/${SUPPLIER}/changes/?reader=billing`;
  const { answer } = await send(path);
  expectStatus(200, await send(`${path}&cursor=${answer.cursor}`), path);
}

/** Sign in, see an account, retry a failed account, and look up the documents of the other supplier. */
async function useConsole() {
  const cookies = new Map();
  const page = async (path, fields) => {
    const response = await fetch(new URL(path, service.url), {
      method: fields === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      body: fields && new URLSearchParams(fields),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      cookies.set(name, value);
    }
    if (response.status >= 400) throw new Error(`${path} was answered ${response.status}.`);
    return response.text();
  };
  const submit = async (path) => {
    const [, token] = /name="_csrf" value="([^"]+)"/.exec(await page(path));
    await page(path, { _csrf: token });
  };
  await submit(service.link);
  await page(`/console/suppliers/${SUPPLIER}/accounts/1001`);
  await submit('/console/suppliers/GONE/documents');
}

/** What the service answers to the imports again, and to reads. */
async function answersOf(keys) {
  const send = await senderOf(service.url, keys.supplier);
  const requests = [...STORED.slice(0, -1), ...REFUSED, ...READ.map((path) => [path])];
  const answers = [];
  for (const [path, body] of requests) answers.push({ path, body, ...(await send(path, body)) });
  const feed = await (
    await senderOf(service.url, keys.platform)
  )(`/v1/platform/import-suppliers/${SUPPLIER}/changes/`);
  const commands = [];
  for (const words of COMMANDS) commands.push({ words, json: await command(words) });
  return { answers, feed, commands };
}

/** Schema as the migrations say it, rows and positions of sequences. */
async function database() {
  const { MIGRATIONS } = await import('../dist/src/infrastructure/database/migrations/index.js');
  const schema = [RECORD_OF_MIGRATIONS];
  // A query with parameters adds rows, which are copied below.
  const query = (sql, parameters) => parameters === undefined && schema.push(sql);
  for (const Migration of MIGRATIONS) await new Migration().up({ query });
  const password = await readFile(join(dataDir, 'database-password'), 'utf8');
  const port = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[3];
  const client = new pg.Client(`postgres://data_import:${password}@127.0.0.1:${port}/data_import`);
  await client.connect();
  try {
    const tables = await client.query(TABLES);
    const rows = {};
    for (const { name, columns } of tables.rows) {
      const copied = await text(client.query(copyTo(`COPY ${name} (${columns}) TO STDOUT`)));
      rows[`${name} (${columns})`] = copied;
    }
    const empty = tables.rows.filter(
      ({ name, columns }) => rows[`${name} (${columns})`] === '' && !OFTEN_EMPTY.includes(name),
    );
    if (empty.length > 0)
      throw new Error(`Tables without rows: ${empty.map(({ name }) => name).join(', ')}.`);
    const sequences = await client.query(SEQUENCES);
    return { schema, rows, sequences: sequences.rows };
  } finally {
    await client.end();
  }
}
