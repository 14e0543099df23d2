import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../../src/apps/data-source.js';
import '../../../../src/infrastructure/audit/audit.queries.js';
import '../../../../src/infrastructure/audit/evidence/evidence.queries.js';
import { queries } from '../../../../src/infrastructure/database/query.js';
import { createDatabase } from '../../../support/database.js';
import { plannedScans } from '../../../support/query-plan.js';
import { inBlock, setUp } from '../../../support/set-up.js';

describe('the list of operator changes and of views', () => {
  const database = setUp(createDatabase);
  beforeAll(async () => {
    await database.sql(
      `INSERT INTO audit_entry (at, operator, action, subject, import_supplier)
       SELECT now() - n * interval '1 second', 'test', 'supplier.set', 'test', 'S' || n % 10
         FROM generate_series(1, 25000) n`,
    );
    await database.sql(
      `INSERT INTO viewed (viewer, action, import_supplier, external_account_number, hour, at, last_at, count)
       SELECT 'test', 'account.view', 'S' || n % 10, n::text, date_trunc('hour', v.at), v.at, v.at, 1
         FROM generate_series(1, 25000) n, LATERAL (SELECT now() - n * interval '1 second' AS at) v`,
    );
    await database.sql('ANALYZE audit_entry, viewed');
  });

  it.each([
    ['audit.list', 'audit_entry', 'prepared'],
    ['audit.list', 'audit_entry', 'plain'],
    ['evidence.list', 'viewed', 'prepared'],
    ['evidence.list', 'viewed', 'plain'],
  ] as const)(
    'reads no more than a page by the index of the time, without sorting (O6, %s of %s, %s)',
    async (wanted, table, mode) => {
      const settings = { DATABASE_POOL_MAX: 1, DATABASE_STATEMENTS: mode };
      await using dataSource = inBlock(new DataSource(dataSourceOptions(database.url, settings)));
      await dataSource.initialize();
      const list = queries().find(({ name }) => name === wanted);
      expect(await plannedScans(dataSource, list!)).toEqual([
        {
          table,
          index: `${table}_at`,
          kind: 'Index Scan',
          condition: expect.stringMatching(/^\(\(at >= .*ROW\(at, id\) < ROW\(/) as string,
          isCutShort: true,
        },
      ]);
    },
  );
});
