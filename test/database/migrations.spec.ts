import { dataSource, MIGRATIONS_TABLE } from '../../ormconfig.js';
import { readEnvironment } from '../../src/config/env.js';
import { MIGRATIONS } from '../../src/database/migrations/index.js';
import { migrate } from '../../src/database/open-database.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';

/** Tables in which TypeORM keeps its own account, and their keys. */
const TYPEORMS_OWN = `^(${MIGRATIONS_TABLE}|typeorm_metadata|PK_)`;

describe('the migrations', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createEmptyDatabase();
  });
  afterAll(async () => {
    await database.drop();
  });

  /** Everything that a migration may make, as the catalogue of the database names it. */
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
      [TYPEORMS_OWN],
    );
    return rows.map(({ thing }) => thing);
  }

  it('go up, all the way down without leaving anything, and up again to the same schema (house rule)', async () => {
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

  it('are applied once by processes that start together, each with a single connection (house rule)', async () => {
    const own = await createEmptyDatabase();
    try {
      const environment = { ...readEnvironment({}), DATABASE_POOL_MAX: 1 };
      const applied = await Promise.all([1, 2, 3].map(() => migrate(own.url, environment)));
      expect(applied.map(({ length }) => length).sort((one, other) => one - other)).toEqual([
        0,
        0,
        MIGRATIONS.length,
      ]);
    } finally {
      await own.drop();
    }
  });
});
