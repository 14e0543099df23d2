import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SETTINGS } from '../../src/infrastructure/config/settings.js';
import { MIGRATIONS } from '../../src/infrastructure/database/migrations/index.js';
import { runJson } from '../support/cli.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { obtained } from '../support/graphql.js';
import { findPgBouncer, POOL_SIZE, startPgBouncer, type PgBouncer } from '../support/pgbouncer.js';
import { spawnService } from '../support/service-process.js';
import { startService, type Reply, type TestService } from '../support/service.js';

/** More than one page of a streamed list, and more than one batch of a staging file. */
const ACCOUNTS = 21_000;
const number = (n: number): string => `N${String(n).padStart(6, '0')}`;

const CONCURRENT_REQUESTS = 16;

const folder = await mkdtemp(join(tmpdir(), 'data-import-pgbouncer-'));
const program = await findPgBouncer();
afterAll(() => rm(folder, { recursive: true }));

if (program === undefined)
  process.stderr.write('Run without PgBouncer, which is not installed: test/soak/pgbouncer.spec.ts.\n');
const mode = program?.supportsPrepared === true ? 'prepared' : 'plain';
const open = (url: string): Promise<Pick<PgBouncer, 'through' | 'stop'>> =>
  program
    ? startPgBouncer(program, url)
    : Promise.resolve({ through: (direct) => direct, stop: () => Promise.resolve() });
/** Maximum number of connections that PostgreSQL may see. */
const connectionsMax = program ? POOL_SIZE : Number(SETTINGS.DATABASE_POOL_MAX.default);

describe(`through PgBouncer in transaction mode (statements ${mode})`, () => {
  const settings = { DATABASE_STATEMENTS: mode };
  let database: TestDatabase;
  let bouncer: Pick<PgBouncer, 'through' | 'stop'>;
  /** The same database, reached only by this route. */
  let behind: TestDatabase;
  let service: TestService;
  let token: string;
  /** Clean-up functions, called in reverse order. */
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    database = await createEmptyDatabase();
    ends.unshift(database.drop);
    bouncer = await open(database.url);
    ends.unshift(bouncer.stop);
    behind = { ...database, url: bouncer.through(database.url) };
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  const command = async (args: string[], input = ''): Promise<unknown> => {
    const { exitCode, json, stderr } = await runJson(behind, args, input, settings);
    expect({ exitCode, json, stderr }).toMatchObject({ exitCode: 0 });
    return json;
  };
  const count = async (what: string): Promise<number> => {
    const [row] = await database.sql<{ count: number }>(`SELECT count(*)::integer AS count FROM ${what}`);
    return row!.count;
  };
  const post = (path: string, n: number, payload: object): Promise<Reply> =>
    service.post(path, token, { import_supplier: 'ACME', external_account_number: number(n), ...payload });

  it('starts a service, which migrates an empty database (section 6)', async () => {
    const starting = spawnService({
      ...settings,
      DATABASE_URL: behind.url,
      TOKEN_SIGNING_KEY: 'a signing key that only the tests know',
      DATA_DIR: folder,
    });
    await starting.listening();
    expect(await count('migration')).toBe(MIGRATIONS.length);
    starting.kill('SIGTERM');
    expect({ end: await starting.ended, stderr: starting.stderr() }).toEqual({ end: 0, stderr: '' });
  });

  it('lets operators stage and import without losing or duplicating an account (S4, S7)', async () => {
    await command(['organisation', 'create', 'Acme']);
    await command(['supplier', 'create', 'ACME', '--name', 'Acme', '--organisation', 'Acme']);
    const lines = Array.from(
      { length: ACCOUNTS },
      (_, n) => `{"external_account_number":"${number(n)}","open_statement_from":"2026-01-01"}\n`,
    );
    const staged = await command(['accounts', 'stage', 'ACME', '-'], lines.join(''));
    expect(staged).toEqual({ staged: ACCOUNTS, replaced: 0, skipped: 0, repeated: [], errors: [] });
    const outcomes = await Promise.all(
      [1, 2].map(() => command(['accounts', 'import', 'ACME', '--concurrency', '3'])),
    );
    const imported = outcomes.map((outcome) => (outcome as { imported: number }).imported);
    expect(imported[0]! + imported[1]!).toBe(ACCOUNTS);
    expect(await count(`(SELECT DISTINCT service_account_number FROM account_import) AS numbers`)).toBe(
      ACCOUNTS,
    );
    expect(await command(['migration', 'status', 'ACME'])).toMatchObject({
      accounts: { pending: 0, in_progress: 0, imported: ACCOUNTS, failed: 0 },
    });
  });

  it('exchanges an API key for a token (A1)', async () => {
    service = await startService(settings, { database, throughProxy: bouncer.through });
    ends.unshift(service.stop);
    const { key } = (await command(['api-key', 'issue', 'Acme'])) as { key: string };
    ({ token } = await obtained(service, { apiKey: key }));
  });

  const note = (n: number): object => ({ notes: [{ body: `Note ${n}` }, { body: 'Meter in the cellar' }] });
  const transactions = (n: number): object => ({
    transactions: [1, 2, 3].map((id) => ({
      transaction_id: `t-${id}`,
      // The second date is before the open period and is moved, which pins a note.
      transaction_date: id === 2 ? '2020-01-01' : '2026-02-03',
      amount: n + 0.25,
      type: 'CHARGE',
    })),
  });
  const statements = (n: number): object => ({
    statements: [
      { statement_id: `s-${n}`, bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31' },
    ],
  });
  const instruction = (n: number): object => ({ vendor: 'SANDBOX', reference: `ok_${n}`, type: 'CARD' });
  const imports: [path: string, payload: (n: number) => object][] = [
    ['notes/create/', note],
    ['transactions/create/', transactions],
    ['historical-statements/create/', statements],
    ['payment-instruction/create/', instruction],
  ];

  it('stores everything once when concurrent requests are dry runs, sent, and repeated (N4, X5, H3, P2, R1)', async () => {
    const accounts = Array.from({ length: 20 }, (_, n) => n);
    const requests = accounts.flatMap((n) =>
      imports.flatMap(([path, payload]) =>
        [`${path}?dry_run=true`, path, path].map((way) => async () => ({
          way,
          reply: await post(way, n, payload(n)),
        })),
      ),
    );
    const waiting = requests.values();
    const statuses = new Map<number, number>();
    await Promise.all(
      Array.from({ length: CONCURRENT_REQUESTS }, async () => {
        for (const request of waiting) {
          const { way, reply } = await request();
          statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
          expect(reply.headers.get('x-dry-run')).toBe(way.includes('dry_run') ? 'true' : null);
        }
      }),
    );
    expect([...statuses]).toEqual([[201, requests.length]]);
    // Two sent notes, and the pinned one about the moved transaction.
    expect(await count('note')).toBe(accounts.length * 3);
    expect(await count('transaction')).toBe(accounts.length * 3);
    expect(await count('statement')).toBe(accounts.length);
    expect(await count('payment_instruction')).toBe(accounts.length);
    expect(await count('import_request')).toBe(accounts.length * 4);
    expect(
      await count(`transaction WHERE amount <> substr(external_account_number, 2)::numeric + 0.25`),
    ).toBe(0);
  });

  it('stores nothing of a dry run (R1)', async () => {
    for (const [path, payload] of imports) {
      expect(await post(`${path}?dry_run=true`, 100, payload(100))).toMatchObject({ status: 201 });
    }
    for (const table of ['note', 'transaction', 'statement', 'payment_instruction', 'import_request']) {
      expect(await count(`${table} WHERE external_account_number = '${number(100)}'`)).toBe(0);
    }
  });

  it('stores nothing of a refused request, and serves the next one (X8)', async () => {
    const path = 'transactions/create/?force_add_to_current_statement=false';
    expect(await post(path, 101, transactions(101))).toMatchObject({
      status: 400,
      body: { status: 'TRANSACTION_IMPORT_ERROR' },
    });
    expect(await count(`transaction WHERE external_account_number = '${number(101)}'`)).toBe(0);
    expect(await post('transactions/create/', 101, transactions(101))).toMatchObject({ status: 201 });
  });

  it('answers the status, and streams a list of more than one page (S3, S5)', async () => {
    const status = await service.get(`account-transfer-status/ACME/${number(7)}/`, token);
    expect(status.body).toEqual({
      status: 'COMPLETED',
      service_account_number: expect.stringMatching(/^A-[0-9A-F]{8}$/) as string,
    });
    const list = await service.get<{ external_account_number: string }[]>(
      'imported-account-import-processes/ACME/',
      token,
    );
    expect(list.body.map((one) => one.external_account_number)).toEqual(
      Array.from({ length: ACCOUNTS }, (_, n) => number(n)),
    );
  });

  it('opens no more connections than it may (T4)', async () => {
    const connections = await count(
      `pg_stat_activity WHERE datname = current_database() AND application_name = 'data-import'`,
    );
    expect(connections).toBeGreaterThan(0);
    expect(connections).toBeLessThanOrEqual(connectionsMax);
  });
});
