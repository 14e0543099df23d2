import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readEnvironment } from '../../src/infrastructure/config/env.js';
import { DISTRIBUTED_TABLES, REFERENCE_TABLES } from '../../src/infrastructure/database/citus/promises.js';
import { MIGRATIONS } from '../../src/infrastructure/database/migrations/index.js';
import { migrate } from '../../src/infrastructure/database/open-database.js';
import { runCommand, runJson, startProcess, refusedWith } from '../support/cli.js';
import { createUndistributedDatabase, refusalOf, type TestDatabase } from '../support/database.js';
import { givenIn, startService, TOKEN_SIGNING_KEY, unique } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { inBlock } from '../support/set-up.js';

const TABLES = [...REFERENCE_TABLES, ...DISTRIBUTED_TABLES];
const DISTRIBUTE = ['database', 'distribute', '--shards', '4'];
/** The shards of all DISTRIBUTED_TABLES together. */
const SHARDS_OF_ALL = 4 * DISTRIBUTED_TABLES.length;

const anyText = expect.any(String) as string;

interface Nodes {
  readonly node: string;
  readonly role: string;
  readonly is_active: boolean;
  readonly shards: number;
  readonly bytes: number;
  readonly suppliers: string[];
}

const distribute = (database: TestDatabase): ReturnType<typeof runJson> => runJson(database, DISTRIBUTE);

/** Every table of the service with its rows, in no particular order. */
async function rowsOf({ sql }: TestDatabase): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const table of TABLES) {
    const [{ exists }] = (await sql('SELECT to_regclass($1) IS NOT NULL AS exists', [table])) as [
      { exists: boolean },
    ];
    const found = exists ? await sql<{ row: string }>(`SELECT t::text AS row FROM ${table} t`) : [];
    rows[table] = found.map(({ row }) => row).sort();
  }
  return rows;
}

/** Tables that Citus manages. */
async function managedTables({ sql }: TestDatabase): Promise<string[]> {
  const rows = await sql<{ name: string }>(
    'SELECT logicalrelid::text AS name FROM pg_dist_partition ORDER BY 1',
  );
  return rows.map(({ name }) => name);
}

async function triggersOf({ sql }: TestDatabase): Promise<string[]> {
  const rows = await sql<{ table: string }>(
    `SELECT DISTINCT c.relname AS "table"
       FROM pg_trigger g
       JOIN pg_class c ON c.oid = g.tgrelid
      WHERE NOT g.tgisinternal AND c.relnamespace = 'public'::regnamespace
      ORDER BY 1`,
  );
  return rows.map(({ table }) => table);
}

/** Two suppliers, an imported account with a row of each kind, a staged one, one that is being erased. */
async function fill(database: TestDatabase): Promise<{ supplier: string; other: string }> {
  const given = givenIn(database);
  const { supplier, ref } = await given.importedAccount();
  const { supplier: other } = await given.stagedAccount();
  const account = `SELECT import_supplier_id, external_account_number FROM account_import WHERE external_account_number = $1`;
  const number = [ref.external_account_number];
  await database.sql(
    `WITH account AS (${account}),
     request AS (
       INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored)
       SELECT account.*, uuidv7(), 'notes', uuidv7(), 'request', 1 FROM account
     ),
     note AS (
       INSERT INTO note (import_supplier_id, external_account_number, created_at, created_at_sent, import_request_id, body,
                         is_pinned)
       SELECT account.*, now(), true, uuidv7(), 'text', false FROM account
     )
     INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, import_request_id,
                              transaction_date, amount, type)
     SELECT account.*, 'id', uuidv7(), '2026-01-01', 1.23, 'CHARGE' FROM account`,
    number,
  );
  await database.sql(
    `WITH job AS (
       INSERT INTO erasure (import_supplier_id, external_account_number, reason, run_id)
       SELECT id, 'erased', 'test', uuidv7() FROM import_supplier WHERE code = $1
       RETURNING import_supplier_id, external_account_number, id
     )
     INSERT INTO account_erasure (import_supplier_id, external_account_number, erasure_id) SELECT * FROM job`,
    [supplier],
  );
  // The command carries changes over to the totals, as a running service would.
  for (const code of [supplier, other]) await runJson(database, ['migration', 'status', code]);
  return { supplier, other };
}

describe('data-import database distribute', () => {
  let database: TestDatabase;
  afterEach(() => database.drop());

  async function expectError(code: string, detail: RegExp): Promise<void> {
    const end = await distribute(database);
    const error = { code, detail: expect.stringMatching(detail) as string };
    expect({ exitCode: end.exitCode, json: end.json }).toEqual({ exitCode: 1, json: { error } });
  }

  it('needs the schema of this version, and nodes (section 6)', async () => {
    database = await createUndistributedDatabase(false);
    await expectError('database_not_migrated', /run "data-import database migrate" first\.$/);
    expect((await runJson(database, ['database', 'migrate'])).exitCode).toBe(0);
    await expectError('no_worker_nodes', /run citus_set_coordinator_host and citus_add_node/);
    const extension = await database.sql(`SELECT FROM pg_extension WHERE extname = 'citus'`);
    expect(extension).toEqual([]);
    const nodes = await runJson(database, ['database', 'nodes']);
    expect(nodes).toMatchObject(refusedWith('database_not_distributed'));
  });

  it('needs nodes with synchronous commit, because a move copies only what is written (decision 11)', async () => {
    database = await createUndistributedDatabase(true);
    await runJson(database, ['database', 'migrate']);
    const name = new URL(database.url).pathname.slice(1);
    // Citus runs this on every node.
    await database.sql(`ALTER DATABASE ${name} SET synchronous_commit = off`);
    await expectError('node_not_usable', /^The node [^ ]+ commits before its write-ahead log is written, /);
    expect(await managedTables(database)).toEqual([]);
  });

  it('leaves the database unchanged while a service uses it, or when it is killed halfway (section 6)', async () => {
    database = await createUndistributedDatabase(true);
    await runJson(database, ['database', 'migrate']);
    await fill(database);
    const [before, triggers] = [await rowsOf(database), await triggersOf(database)];

    const service = await startService({}, { database });
    await expectError('database_in_use', /^Services or commands have \d+ connections .* stop them first\.$/);
    await service.stop();

    // The command's last query before its commit.
    const release = await database.lock('audit_entry');
    const killed = startProcess(database, DISTRIBUTE);
    await database.blocked(1);
    killed.process.kill('SIGKILL');
    await killed.ended;
    await release();
    await waitUntil('its connection has ended', async () => {
      const left = await database.sql(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'data-import'`,
      );
      return left.length === 0;
    });
    expect(await managedTables(database)).toEqual([]);
    expect(await rowsOf(database)).toEqual(before);
    expect(await triggersOf(database)).toEqual(triggers);
    expect((await distribute(database)).json).toMatchObject({ distributed: TABLES });
    expect(await rowsOf(database)).toMatchObject({ ...before, imported_account: [anyText, anyText] });
  });
});

describe('a distributed database', () => {
  let database: TestDatabase;
  let before: Record<string, string[]>;
  let suppliers: { supplier: string; other: string };
  let first: Awaited<ReturnType<typeof runCommand>>;
  beforeAll(async () => {
    database = await createUndistributedDatabase(true);
    await runJson(database, ['database', 'migrate']);
    suppliers = await fill(database);
    before = await rowsOf(database);
    first = await runCommand(database, DISTRIBUTE);
  });
  afterAll(() => database.drop());

  it('has all its rows, and no triggers except those of the coordinator’s tables (S3, S8, S10)', async () => {
    expect(first).toMatchObject({ exitCode: 0 });
    expect(first.stdout).toMatch(/^Distributed 22 tables over \d+ nodes: .+\.\n$/);
    expect(first.stderr.match(/^Distributing \w+ \(\d+\.\d MB\) …$/gm)).toHaveLength(TABLES.length);
    const [imported, erased] = (await rowsOf(database)).imported_account!;
    expect(await rowsOf(database)).toEqual({ ...before, imported_account: [imported, erased] });
    expect(await triggersOf(database)).toEqual(['audit_entry', 'organisation']);
    expect(await managedTables(database)).toEqual([...TABLES].sort());
    const entries = await runJson(database, ['audit', 'list']);
    expect(JSON.stringify(entries.json)).toContain('"action":"database.distribute"');
  });

  it('remains as it is when it is distributed or migrated again (section 6)', async () => {
    const rows = await rowsOf(database);
    const again = await distribute(database);
    expect(again).toMatchObject({ exitCode: 0, json: { distributed: [] } });
    expect(await runCommand(database, ['database', 'migrate'])).toMatchObject({
      exitCode: 0,
      stdout: 'The database is up to date.\n',
    });
    expect(await rowsOf(database)).toEqual(rows);
  });

  it('shows its nodes with their shards, sizes and suppliers (section 6)', async () => {
    const { exitCode, json } = await runJson(database, ['database', 'nodes']);
    expect(exitCode).toBe(0);
    const nodes = json as Nodes[];
    expect(nodes[0]).toMatchObject({
      role: 'coordinator',
      is_active: true,
      shards: 0,
      bytes: 0,
      suppliers: [],
    });
    const workers = nodes.slice(1);
    expect(workers.map(({ role }) => role)).toEqual(workers.map(() => 'worker'));
    expect(workers.reduce((sum, { shards }) => sum + shards, 0)).toBe(SHARDS_OF_ALL);
    expect(workers.every(({ bytes }) => bytes > 0)).toBe(true);
    expect(workers.flatMap((node) => node.suppliers).sort()).toEqual(Object.values(suppliers).sort());
    const shown = await runCommand(database, ['database', 'nodes']);
    expect(shown.stdout).toMatch(/^Node +Role +Active +Shards +Size +Suppliers\n/);
  });

  it('is used by a service, even for a supplier that is created later (4.1)', async () => {
    await using service = inBlock(await startService({}, { database: { ...database, isDistributed: true } }));
    const supplier = unique('later');
    await runJson(database, ['supplier', 'create', supplier, '--name', 'Later']);
    const caller = await service.given.organisation();
    await service.given.grant(supplier, caller.organisationId);
    await runJson(database, ['accounts', 'stage', supplier, '-'], '{"external_account_number":"1"}');
    expect((await runJson(database, ['accounts', 'import', supplier])).json).toMatchObject({ imported: 1 });
    const note = { import_supplier: supplier, external_account_number: '1', notes: [{ body: 'text' }] };
    expect((await service.post('notes/create/', caller.token, note)).status).toBe(201);
  });

  it('shows accounts whose platform numbers were made equal by hand (S4)', async () => {
    const check = (): ReturnType<typeof runJson> => runJson(database, ['database', 'check-numbers']);
    expect(await check()).toMatchObject({ exitCode: 0, json: [] });
    const shown = await runCommand(database, ['database', 'check-numbers']);
    expect(shown.stdout).toBe('Every platform account number is unique.\n');
    const pairs: { import_supplier: string; external_account_number: string }[] = [];
    for (const import_supplier of Object.values(suppliers)) {
      const external_account_number = unique('by hand');
      pairs.push({ import_supplier, external_account_number });
      await importByHand(import_supplier, external_account_number, 'A-00000000');
    }
    const accounts = pairs.sort((one, other) => (one.import_supplier < other.import_supplier ? -1 : 1));
    expect(await check()).toMatchObject({
      exitCode: 1,
      json: [{ service_account_number: 'A-00000000', accounts }],
    });
  });

  async function importByHand(code: string, number: string, serviceNumber: string): Promise<void> {
    const [{ id }] = (await database.sql('SELECT id FROM import_supplier WHERE code = $1', [code])) as [
      { id: number },
    ];
    // One query inserts both rows, because they refer to each other.
    await database.sql(
      `WITH account AS (
         INSERT INTO account_import (import_supplier_id, external_account_number, status, service_account_number,
                                     account_created_at, open_statement_from)
         VALUES ($1, $2, 'imported', $3, now(), '2026-01-01')
       )
       INSERT INTO imported_account (import_supplier_id, external_account_number, service_account_number)
       VALUES ($1, $2, $3)`,
      [id, number, serviceNumber],
    );
  }

  it('distributes the table of a supplier that a later migration creates (section 6)', async () => {
    const table = 'meter_reading';
    class MeterReadings9999999999999 implements MigrationInterface {
      readonly name = 'MeterReadings9999999999999';
      async up(runner: QueryRunner): Promise<void> {
        await runner.query(
          `CREATE TABLE ${table} (
             import_supplier_id integer NOT NULL CONSTRAINT import_supplier_exists REFERENCES import_supplier,
             id uuid NOT NULL,
             PRIMARY KEY (import_supplier_id, id)
           )`,
        );
      }
      async down(runner: QueryRunner): Promise<void> {
        await runner.query(`DROP TABLE ${table}`);
      }
    }
    const migrations = MIGRATIONS as (new () => MigrationInterface)[];
    const tables = DISTRIBUTED_TABLES as unknown as string[];
    migrations.push(MeterReadings9999999999999);
    tables.push(table);
    try {
      const environment = readEnvironment({ DATABASE_URL: database.url, TOKEN_SIGNING_KEY });
      expect(await migrate(database.url, environment)).toEqual(['MeterReadings9999999999999']);
    } finally {
      migrations.pop();
      tables.pop();
    }
    const colocated = await database.sql(
      `SELECT FROM pg_dist_partition
        WHERE logicalrelid = $1::text::regclass
          AND colocationid = (SELECT colocationid FROM pg_dist_partition WHERE logicalrelid = 'account_import'::regclass)`,
      [table],
    );
    expect(colocated).toHaveLength(1);
    const astray = database.sql(`INSERT INTO ${table} VALUES (0, uuidv7())`);
    expect(await refusalOf(astray)).toMatchObject({ code: '23503', constraint: 'import_supplier_exists' });
  });
});
