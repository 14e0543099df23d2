import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../../src/apps/data-source.js';
import { connect } from '../../../../src/infrastructure/database/open-database.js';
import { readEnvironment, StartError } from '../../../../src/infrastructure/config/env.js';
import { createApp } from '../../../../src/apps/http/create-app.js';
import { createDatabase, type TestDatabase } from '../../../support/database.js';
import { memoryLog } from '../../../support/memory-log.js';
import { env } from '../../../support/outside.js';
import { startService, TOKEN_SIGNING_KEY } from '../../../support/service.js';
import { inBlock, setUp, setUpEach } from '../../../support/set-up.js';

/** @param setting default of the database for all connections */
async function createDatabaseWith(setting: string): Promise<TestDatabase> {
  const database = await createDatabase();
  await database.sql(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET ${setting}`);
  return database;
}

describe('a database with its own date style', () => {
  const database = setUp(() => createDatabaseWith(`DateStyle = 'SQL, DMY'`));
  const service = setUp(() => startService({}, { database }));

  it('does not change how days are stored, answered and explained (2.1, T12, X7)', async () => {
    const { token, ref } = await service.given.importedAccount({ from: '2026-02-01', to: '2026-03-05' });
    const transaction = { transaction_id: 't', transaction_date: '2026-01-12', amount: 1, type: 'CHARGE' };
    const payload = { ...ref, transactions: [transaction] };
    const refused = await service.post<{ error_detail: string }>(
      'transactions/create/?force_add_to_current_statement=false',
      token,
      payload,
    );
    expect(refused.body.error_detail).toContain('from 2026-02-01 to 2026-03-05');
    const booked = await service.post<{ results: { transaction_data: object }[] }>(
      'transactions/create/',
      token,
      payload,
    );
    expect(booked.body.results[0]!.transaction_data).toMatchObject({
      transaction_date: '2026-02-01',
      note: expect.stringContaining('from 2026-01-12 to 2026-02-01') as string,
    });
    const [pinned] = await database.sql<{ body: string }>('SELECT body FROM note');
    expect(pinned!.body).toContain('from 2026-02-01 to 2026-03-05');
  });

  it('is refused if the service may not override it (section 6)', async () => {
    const environment = readEnvironment({
      DATABASE_URL: database.url,
      DATABASE_STATEMENTS: 'plain',
      TOKEN_SIGNING_KEY,
    });
    await expect(connect(database.url, environment)).rejects.toThrow(
      /^The database .* writes dates in the style SQL, DMY; ISO is needed: /,
    );
  });
});

describe('a database with its own isolation level', () => {
  const database = setUp(() => createDatabaseWith(`default_transaction_isolation = 'repeatable read'`));

  it('is used with read committed, which the triggers of the items need (S10)', async () => {
    await using source = inBlock(
      await new DataSource(dataSourceOptions(database.url, readEnvironment({}))).initialize(),
    );
    expect(await source.query('SHOW transaction_isolation')).toEqual([
      { transaction_isolation: 'read committed' },
    ]);
  });

  it('is refused if the service may not override it (section 6)', async () => {
    const environment = readEnvironment({
      DATABASE_URL: database.url,
      DATABASE_STATEMENTS: 'plain',
      TOKEN_SIGNING_KEY,
    });
    await expect(connect(database.url, environment)).rejects.toThrow(
      /^The database .* begins transactions with the isolation level repeatable read; read committed is needed: /,
    );
  });
});

describe('a database that is gone when the connections are opened', () => {
  it('is reported in one sentence where the service is started, and not also in the log (section 6)', async () => {
    const log = memoryLog();
    const app = createApp({
      environment: readEnvironment({ TOKEN_SIGNING_KEY }),
      databaseUrl: 'postgres://user:hidden@127.0.0.1:1/nothing',
      logger: log.logger,
    });
    await expect(app).rejects.toEqual(
      new StartError('The database nothing at 127.0.0.1:1 cannot be used: nothing answers at 127.0.0.1:1.'),
    );
    expect(log.lines().filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a database with its own time zone', () => {
  const database = setUp(() => createDatabaseWith(`TimeZone = 'Pacific/Kiritimati'`));
  const service = setUp(() => startService({}, { database }));

  it('does not change how date-times are stored and answered (T12, S5)', async () => {
    const { token, ref, supplier } = await service.given.importedAccount();
    await database.sql(
      `UPDATE account_import SET account_created_at = '2026-03-04 23:06:07.89+00' WHERE external_account_number = $1`,
      [ref.external_account_number],
    );
    const note = { body: 'x', created_at: '2026-03-04T23:06:07Z' };
    const payload = { ...ref, notes: [note] };
    for (const status of ['NOTE_CREATION_SUCCESS', 'NOTE_ALREADY_EXISTS']) {
      const { body } = await service.post('notes/create/', token, payload);
      expect(body).toEqual([{ ...note, status }]);
    }
    const list = `imported-account-import-processes/${supplier}/`;
    expect((await service.get(list, token)).body).toMatchObject([
      { account_created_at: '2026-03-04T23:06:07Z' },
    ]);
  });
});

describe('a PostgreSQL of another version', () => {
  const database = setUpEach(createDatabase);

  /** Open the database while it reports a version. */
  async function open(version: string): Promise<void> {
    const name = new URL(database.url).pathname.slice(1);
    await database.sql(`
      CREATE SCHEMA other;
      CREATE FUNCTION other.current_setting(name text) RETURNS text LANGUAGE sql AS $$
        SELECT CASE WHEN name = 'server_version' THEN '${version}' ELSE pg_catalog.current_setting(name) END
      $$;
      ALTER DATABASE ${name} SET search_path = other, pg_catalog, public`);
    const environment = readEnvironment({ DATABASE_URL: database.url, TOKEN_SIGNING_KEY });
    await (await connect(database.url, environment)).destroy();
  }

  it('is refused when it is too old, naming both versions (section 6)', async () => {
    await expect(open('17.10 (Debian 17.10-1)')).rejects.toThrow(
      /^The database .* is PostgreSQL 17; 18 or newer is needed\.$/,
    );
  });

  it.each(['18.0', '18beta1', '19.1'])('is accepted when it is %s (section 6)', async (version) => {
    await expect(open(version)).resolves.toBeUndefined();
  });
});

describe('a database address with its own start-up options', () => {
  const database = setUp(createDatabase);
  afterEach(() => {
    delete env.PGOPTIONS;
  });

  const LIMIT = { statementTimeoutMs: 12_000 };
  const THEIRS =
    '-c search_path=theirs,public -c lock_timeout=7s -c plan_cache_mode=auto -c statement_timeout=9s';

  /** The settings that a connection to the database shows. @param parameters added to the address */
  async function shown(
    parameters: Record<string, string>,
    statements: 'prepared' | 'plain' = 'prepared',
    use = {},
  ): Promise<Record<string, string>> {
    const address = new URL(database.url);
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    const environment = { DATABASE_POOL_MAX: 2, DATABASE_STATEMENTS: statements };
    await using source = inBlock(
      await new DataSource(dataSourceOptions(address.href, environment, use)).initialize(),
    );
    const names = ['search_path', 'lock_timeout', 'plan_cache_mode', 'statement_timeout', 'application_name'];
    const settings = names.map((name) => `current_setting('${name}') AS ${name}`);
    const [row] = await source.query<[Record<string, string>]>(`SELECT ${settings.join(', ')}`);
    return row;
  }

  const kept = { search_path: 'theirs,public', lock_timeout: '7s' };
  const ours = { plan_cache_mode: 'force_generic_plan', statement_timeout: '12s' };

  it('keeps them together with those of the service, which have priority (section 6)', async () => {
    const options = { options: THEIRS, application_name: 'named' };
    expect(await shown(options, 'prepared', LIMIT)).toEqual({ ...kept, ...ours, application_name: 'named' });
  });

  it('keeps those of PGOPTIONS too, unless the address has options (section 6)', async () => {
    env.PGOPTIONS = THEIRS;
    expect(await shown({}, 'prepared', LIMIT)).toMatchObject({ ...kept, ...ours });
    expect(await shown({ options: '-c search_path=public' }, 'prepared', LIMIT)).toMatchObject({
      search_path: 'public',
      lock_timeout: '0',
    });
  });

  it('gets the service’s timeout instead of the one in the address (section 6)', async () => {
    expect(await shown({ statement_timeout: '9000' }, 'prepared', LIMIT)).toMatchObject(ours);
  });

  it('keeps its timeout if the service sets none (section 6)', async () => {
    const limit = { statement_timeout: '9s' };
    expect(await shown({ options: THEIRS })).toMatchObject({ ...kept, ...limit });
    expect(await shown({ statement_timeout: '9000' })).toMatchObject(limit);
    expect(await shown({ options: THEIRS }, 'plain', LIMIT)).toMatchObject({
      ...kept,
      ...limit,
      plan_cache_mode: 'auto',
    });
  });
});
