import pg from 'pg';
import { DataSource } from 'typeorm';
import '../support/every-query.js';
import { readEnvironment } from '../../src/infrastructure/config/env.js';
import { nodeOptions } from '../../src/infrastructure/database/citus/node-options.js';
import { connectionOptions, GENERIC_PLANS } from '../../src/infrastructure/database/connection-options.js';
import type { Placement } from '../../src/infrastructure/database/citus/placement.js';
import { queries, type Query } from '../../src/infrastructure/database/query.js';
import { UnitOfWork } from '../../src/infrastructure/database/unit-of-work.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { BEFORE, fillForQueries, literal, valuesOf } from '../support/query-values.js';

describe('every query that is sent to the node of a supplier', () => {
  let database: TestDatabase;
  let source: DataSource;
  let work: UnitOfWork;
  let placement: Placement;
  let node: pg.Client;
  let supplierId: number;

  beforeAll(async () => {
    database = await createDatabase();
    supplierId = await fillForQueries(database);
    const options = connectionOptions(database.url, readEnvironment({}), { kind: 'coordinator' });
    source = await new DataSource(options).initialize();
    work = new UnitOfWork(source);
    placement = (await work.atSupplier(supplierId, (at) => at.query((tx) => Promise.resolve(tx.placement))))!;
    const { url, extra } = nodeOptions(options, placement, GENERIC_PLANS) as {
      readonly url: string;
      readonly extra: { readonly options: string };
    };
    node = new pg.Client({ connectionString: url, options: extra.options });
    await node.connect();
  });
  afterAll(async () => {
    await node.end();
    await work.onApplicationShutdown();
    await source.destroy();
    await database.drop();
  });
  beforeEach(() => node.query('BEGIN'));
  afterEach(() => node.query('ROLLBACK; DEALLOCATE ALL'));

  const placeable = queries().filter(({ name, textAt }) => textAt && !name.startsWith('tests.'));

  async function prepare(name: string): Promise<void> {
    const [table, rest] = /(account_erasure|account_import)/.exec(BEFORE[name] ?? '') ?? [];
    if (table !== undefined)
      await node.query(BEFORE[name]!.replace(rest!, placement.shards[table]!), [supplierId]);
  }

  async function planOf(one: Query<unknown>): Promise<string> {
    await node.query(`PREPARE planned AS ${one.textAt!(placement)}`);
    const values = valuesOf(one, supplierId);
    const list = values.length > 0 ? `(${values.map(literal).join(', ')})` : '';
    const { rows } = await node.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) EXECUTE planned${list}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  it.each(placeable.map((one) => [one.name, one] as const))(
    'is planned by PostgreSQL on the shards alone, and first checks that they exist: %s',
    async (name, one) => {
      const plan = await planOf(one);
      expect({ name, isOfCitus: plan.includes('Citus') }).toEqual({ name, isOfCitus: false });
      const tables = [...plan.matchAll(/(?<!Bitmap Index Scan) on ([a-z_]+_\d{5,})\b/g)].map(
        ([, table]) => table,
      );
      const others = tables.filter((table) => !Object.values(placement.shards).includes(table!));
      expect({ name, others }).toEqual({ name, others: [] });
      expect(one.textAt!(placement)).toMatch(/(held|refuse)_shard\(\d+\)/);
      const firstFilter = /One-Time Filter: [^\n]*InitPlan (\d+|expr_1)/.exec(plan);
      expect({ name, plan: firstFilter === null ? plan : '' }).toEqual({ name, plan: '' });
    },
  );

  it.each(placeable.map((one) => [one.name, one] as const))('runs: %s', async (name, one) => {
    await prepare(name);
    await node.query(one.textAt!(placement), valuesOf(one, supplierId));
  });
});
