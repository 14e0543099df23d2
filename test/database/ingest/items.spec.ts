import { COMMON_COLUMNS, hashSql, type ItemKind } from '../../../src/ingest/kinds/item-kind.js';
import { ITEM_NAMES } from '../../../src/infrastructure/item-names/item-names.js';
import { ITEMS } from '../../../src/ingest/kinds/items.js';
import { setUp } from '../../support/set-up.js';
import { sharedService } from '../../support/shared-service.js';

describe('the tables of the items', () => {
  const service = setUp(sharedService);

  it.each(ITEM_NAMES)(
    'have only columns that are in the content of a row or listed as excluded: %s (V3)',
    async (name) => {
      const { table, fields, excludedColumns } = ITEMS[name];
      const columns = await service.database.sql<{ name: string }>(
        `SELECT column_name AS name
           FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name = $1`,
        [table],
      );
      const described = [
        ...Object.keys(COMMON_COLUMNS),
        ...Object.keys(fields),
        ...Object.keys(excludedColumns),
      ];
      expect(columns.map((column) => column.name).sort()).toEqual(described.sort());
    },
  );

  it.each(ITEM_NAMES)('are told apart in an account by the described key: %s', async (name) => {
    const { table, key, primaryKey = key }: ItemKind = ITEMS[name];
    const columns = await service.database.sql<{ name: string }>(
      `SELECT a.attname AS name
         FROM pg_index i, unnest(i.indkey) WITH ORDINALITY AS k (number, position), pg_attribute a
        WHERE i.indrelid = $1::regclass AND i.indisprimary AND a.attrelid = i.indrelid AND a.attnum = k.number
        ORDER BY k.position`,
      [table],
    );
    expect(columns.map((column) => column.name)).toEqual([
      'import_supplier_id',
      'external_account_number',
      ...primaryKey,
    ]);
  });

  it.each(ITEM_NAMES)('compute the hash in the key from what makes two items the same: %s', async (name) => {
    const kind: ItemKind = ITEMS[name];
    const generated = await service.database.sql<{ name: string; sql: string }>(
      `SELECT column_name AS name, generation_expression AS sql
         FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'ALWAYS'`,
      [kind.table],
    );
    expect(generated).toEqual(kind.hash ? [{ name: kind.hash.column, sql: hashSql(kind) }] : []);
  });

  it('are all that carry the id of an import request, beside the changes of the feed', async () => {
    const tables = await service.database.sql<{ name: string }>(
      `SELECT table_name AS name
         FROM information_schema.columns
        WHERE table_schema = current_schema() AND column_name = 'import_request_id'`,
      [],
    );
    const carriers = [...ITEM_NAMES.map((name) => ITEMS[name].table), 'feed_change', 'supplier_change'];
    expect(tables.map(({ name }) => name).sort()).toEqual(carriers.sort());
  });
});
