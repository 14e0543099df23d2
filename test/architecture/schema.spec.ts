import { readFile } from 'node:fs/promises';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/apps/data-source.js';
import { readEnvironment } from '../../src/infrastructure/config/env.js';
import { describeSchema } from '../../src/infrastructure/database/schema-description.js';
import { createDatabase } from '../support/database.js';
import { inBlock, setUp } from '../support/set-up.js';
import { SMALL } from '../support/tables.js';

const database = setUp(createDatabase);

it('contract/schema.sql shows the schema; update it with: npm run contract', async () => {
  expect(await readFile('contract/schema.sql', 'utf8')).toBe(await describeSchema(database.sql));
});

it('the keys of every table that grows begin with the import supplier', async () => {
  const indexes = await database.sql<{ table: string; index: string; first_column: string }>(`
    SELECT t.relname AS table, i.relname AS index, a.attname AS first_column
      FROM pg_index x
      JOIN pg_class t ON t.oid = x.indrelid
      JOIN pg_class i ON i.oid = x.indexrelid
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[0]
     WHERE t.relnamespace = 'public'::regnamespace AND x.indisunique
     ORDER BY t.relname, i.relname`);
  const astray = indexes
    .filter(({ table }) => !(table in SMALL))
    .filter(({ first_column }) => first_column !== 'import_supplier_id')
    .map(({ table, index, first_column }) => `${index} of ${table} begins with ${first_column}`);
  // A platform account number is unique across all suppliers by definition (choice S4).
  expect(astray).toEqual([
    'service_account_number_is_unique of account_import begins with service_account_number',
  ]);
});

it('every table has a primary key', async () => {
  const tables = await database.sql<{ table: string }>(`
    SELECT relname AS table
      FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = pg_class.oid AND indisprimary)`);
  const exceptions = ['supplier_change', 'typeorm_metadata'];
  // Rows of the first are only inserted, and deleted by ctid. TypeORM keeps the second for generated columns.
  expect(tables.map(({ table }) => table).filter((table) => !exceptions.includes(table))).toEqual([]);
});

it('the entities describe the columns that the migrations create', async () => {
  await using dataSource = inBlock(new DataSource(dataSourceOptions(database.url, readEnvironment({}))));
  await dataSource.initialize();
  for (const { tableName, columns } of dataSource.entityMetadatas) {
    const inSchema = await database.sql<{ name: string; type: string; is_nullable: boolean }>(
      `SELECT attname AS name, format_type(atttypid, NULL) AS type,
              NOT attnotnull AS is_nullable
         FROM pg_attribute
        WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
      [tableName],
    );
    const inEntity = columns.map((column) => ({
      name: column.databaseName,
      type: dataSource.driver.normalizeType(column) + (column.isArray ? '[]' : ''),
      is_nullable: column.isNullable,
    }));
    expect({ tableName, columns: sorted(inEntity) }).toEqual({ tableName, columns: sorted(inSchema) });
  }
});

function sorted<T extends { name: string }>(columns: T[]): T[] {
  return [...columns].sort((one, other) => (one.name < other.name ? -1 : 1));
}
