import { dataSource } from '../../../../src/apps/data-source.js';
import { insertEntry } from '../../../../src/infrastructure/audit/audit.queries.js';
import { readEnvironment, StartError } from '../../../../src/infrastructure/config/env.js';
import { MIGRATIONS } from '../../../../src/infrastructure/database/migrations/index.js';
import { MIGRATIONS_TABLE } from '../../../../src/infrastructure/database/connection-options.js';
import {
  changeSchema,
  connectMigrated,
  migrate,
} from '../../../../src/infrastructure/database/open-database.js';
import { createDatabase, createEmptyDatabase } from '../../../support/database.js';
import { inBlock, setUp } from '../../../support/set-up.js';

/** TypeORM's own tables and their keys. */
const TYPEORM_TABLES = `^(${MIGRATIONS_TABLE}|typeorm_metadata|PK_)`;

describe('the migrations', () => {
  const database = setUp(createEmptyDatabase);

  /** The names of everything that a migration may create, from the system catalogues. */
  async function schema(): Promise<string[]> {
    const rows = await database.sql<{ thing: string }>(
      `SELECT format('relation %s %s', relkind, relname) AS thing FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relname !~ $1
       UNION ALL
       SELECT format('function %s', oid::regprocedure) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
       UNION ALL
       SELECT format('trigger %s on %s', tgname, tgrelid::regclass) FROM pg_trigger WHERE NOT tgisinternal
       UNION ALL
       SELECT format('constraint %s on %s: %s', conname, conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
         WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text !~ $1
       ORDER BY 1`,
      [TYPEORM_TABLES],
    );
    return rows.map(({ thing }) => thing);
  }

  it('can all be reverted without leaving anything, and applied again to the same schema (engineering rule)', async () => {
    const source = dataSource(database.url, readEnvironment({}));
    await source.initialize();
    try {
      expect(await source.runMigrations()).toHaveLength(MIGRATIONS.length);
      const first = await schema();
      for (const { name } of MIGRATIONS.toReversed()) {
        await source.undoLastMigration();
        const applied = await database.sql(`SELECT name FROM ${MIGRATIONS_TABLE} WHERE name = $1`, [name]);
        expect(applied).toEqual([]);
      }
      expect(await schema()).toEqual([]);
      await source.runMigrations();
      expect(await schema()).toEqual(first);
      expect(first.length).toBeGreaterThan(50);
    } finally {
      await source.destroy();
    }
  });

  it('are in the past, so that one that is made today is applied last', () => {
    expect(Number(MIGRATIONS.at(-1)!.name.slice(-13))).toBeLessThan(Date.now());
  });

  it('are applied once by processes that start together, each with a single connection (engineering rule)', async () => {
    await using own = inBlock(await createEmptyDatabase());
    const environment = { ...readEnvironment({}), DATABASE_POOL_MAX: 1 };
    const applied = await Promise.all([1, 2, 3].map(() => migrate(own.url, environment)));
    expect(applied.map(({ length }) => length).sort((one, other) => one - other)).toEqual([
      0,
      0,
      MIGRATIONS.length,
    ]);
  });

  it.each<[string, (...args: Parameters<typeof migrate>) => Promise<unknown>]>([
    ['a service that starts', migrate],
    ['a command', connectMigrated],
  ])('%s refuses a database of another build, and leaves it unchanged (section 6)', async (_who, open) => {
    await using own = inBlock(await createEmptyDatabase());
    const environment = readEnvironment({ DATABASE_URL: own.url, TOKEN_SIGNING_KEY: 'x'.repeat(32) });
    const { host, pathname } = new URL(own.url);
    const refusal = (reason: string): StartError =>
      new StartError(
        `The database ${pathname.slice(1)} at ${host} (DATABASE_URL) was made by another build, ${reason}: use that build or a newer one, or set DATABASE_URL to an empty database.`,
      );
    await own.sql('CREATE TABLE import_supplier (code text)');
    await expect(open(own.url, environment)).rejects.toStrictEqual(
      refusal('which left no record of its migrations'),
    );
    await own.sql(
      `CREATE TABLE ${MIGRATIONS_TABLE} (id serial PRIMARY KEY, timestamp bigint NOT NULL, name text NOT NULL)`,
    );
    await own.sql(`INSERT INTO ${MIGRATIONS_TABLE} (timestamp, name) VALUES (1, 'Earlier1')`);
    await expect(open(own.url, environment)).rejects.toStrictEqual(
      refusal('whose migration Earlier1 this build does not know'),
    );
    const embedded = open(own.url, readEnvironment({ DATA_DIR: '/data' }));
    await expect(embedded).rejects.toThrow(
      /^The database in DATA_DIR \/data was .* set DATA_DIR to a new folder/,
    );
    expect(await own.sql(`SELECT name FROM ${MIGRATIONS_TABLE}`)).toEqual([{ name: 'Earlier1' }]);
    expect(await own.sql(`SELECT to_regclass('organisation') AS found`)).toEqual([{ found: null }]);
  });

  it('run in a transaction that can also record the schema change (O6)', async () => {
    await using own = inBlock(await createDatabase());
    const change = { operator: 'test', action: 'database.distribute', subject: 'database' } as const;
    const environment = readEnvironment({ DATABASE_URL: own.url, TOKEN_SIGNING_KEY: 'x'.repeat(32) });
    await changeSchema(own.url, environment, (tx) => insertEntry(tx, change));
    expect(await own.sql('SELECT operator, action FROM audit_entry')).toEqual([
      { operator: 'test', action: 'database.distribute' },
    ]);
  });
});
