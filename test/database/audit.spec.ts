import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import '../../src/audit/audit.repository.js';
import { queries } from '../../src/database/query.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { plannedScans } from '../support/query-plan.js';

describe('the list of operator changes', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
    await database.sql(
      `INSERT INTO audit_entry (at, operator, action, subject, import_supplier)
       SELECT now() - n * interval '1 second', 'test', 'supplier.set', 'test', 'S' || n % 10
         FROM generate_series(1, 25000) n`,
    );
    await database.sql('ANALYZE audit_entry');
  });
  afterAll(() => database.drop());

  it.each(['prepared', 'plain'] as const)(
    'reads no more than a page by the index of the time, without sorting (O6, %s)',
    async (mode) => {
      const settings = { DATABASE_POOL_MAX: 1, DATABASE_STATEMENTS: mode };
      const dataSource = new DataSource(dataSourceOptions(database.url, settings));
      await dataSource.initialize();
      try {
        const list = queries().find(({ name }) => name === 'audit.list');
        expect(await plannedScans(dataSource, list!)).toEqual([
          {
            table: 'audit_entry',
            kind: 'Index Scan',
            condition: expect.stringMatching(/^\(\(at >= .*ROW\(at, id\) < ROW\(/) as string,
            isCutShort: true,
          },
        ]);
      } finally {
        await dataSource.destroy();
      }
    },
  );
});
