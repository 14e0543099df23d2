import type pg from 'pg';
import '../support/every-query.js';
import { queries } from '../../src/infrastructure/database/query.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { BEFORE, fillForQueries, literal, OWN_VALUES, valuesOf } from '../support/query-values.js';

/**
 * Queries through the coordinator that read or write the rows of one supplier in several parts, each on the supplier's shard: Citus
 * cannot plan an INSERT in a CTE, or one that selects from lists, as a single task. The coordinator passes the rows between the
 * parts, in one transaction.
 */
const IN_PARTS: Readonly<Record<string, string>> = {
  'evidence.forget_readers': 'removes rows of any supplier',
  'accounts.acquire_lease': 'inserts the lease that it returns with the size of the chunk',
  'accounts.close_for_erasure': 'inserts from a list',
  'accounts.note_imported': 'inserts from lists',
  'changes.record': 'inserts from lists',
  'documents.set_looked_up': 'inserts where the supplier is on this node',
  'accounts.stage': 'inserts from lists',
  'accounts.change_controls': 'inserts from lists',
  'accounts.replace_unloaded': 'inserts the rows that a repair finds, and deletes others',
};

/** Queries that are only sent directly to the supplier's node. */
const AT_THE_NODE: ReadonlySet<string> = new Set([
  ...['notes.attach', 'statements.attach', 'transactions.book', 'transactions.book_moved'],
  ...['notes.attach_express', 'statements.attach_express', 'transactions.book_express'],
  ...['payment_instructions.find', 'payment_instructions.insert_missing'],
  ...['notes.mark_documents_seen', 'statements.mark_documents_seen'],
  ...['accounts.create_totals', 'accounts.take_changes', 'accounts.add_minutes', 'accounts.count_controls'],
  'accounts.fold_minutes',
  ...['accounts.list_writers', 'accounts.are_writing', 'feed.read_batch', 'feed.head', 'feed.record_reader'],
  'feed.add_reader',
  'conditions.facts',
  ...['changes.create_feed', 'changes.remember_server', 'changes.begin_epoch', 'changes.number'],
]);

/** Queries that reach every shard, run only by operator commands and searches, and queries that EXPLAIN does not support. */
const EVERY_SHARD: Readonly<Record<string, string>> = {
  'console.find_platform_accounts': 'a platform number does not show its supplier',
  'imports.record_refusals': 'EXPLAIN cannot plan it without its values',
  'evidence.lock': 'locks a table of the coordinator',
  'feed.is_epoch': 'the id of an epoch does not show its supplier',
  'evidence.forget_readers': 'an expired key may have read from any supplier',
  'accounts.analyze': 'updates the statistics of all shards; EXPLAIN does not support it',
};

/** Queries for which Citus sends rows to every node, so all must be available. Only operator commands and hourly jobs run them. */
const EVERY_NODE: Readonly<Record<string, string>> = {
  'evidence.forget_readers': 'removes rows of any supplier',
  'accounts.acquire_lease': 'inserts with a key that the database generates',
  'accounts.replace_unloaded': 'a repair compares whole sets, which Citus sends to every node',
};

/** More often than PostgreSQL makes custom plans for a prepared query before it considers a generic plan. */
const TIMES = 7;

interface Plan {
  /** Number of tasks of each part that Citus sends to nodes; empty when the query uses only the coordinator's tables. */
  readonly tasks: readonly number[];
  /** Whether the coordinator passes rows between parts. */
  readonly isInParts: boolean;
}

describe('every hand-written query through the coordinator, on Citus', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let supplierId: number;

  beforeAll(async () => {
    database = await createDatabase();
    supplierId = await fillForQueries(database);
    client = await database.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });
  beforeEach(() => client.query('BEGIN'));
  afterEach(() => client.query('ROLLBACK; DEALLOCATE ALL'));

  async function prepare(name: string): Promise<void> {
    if (BEFORE[name] !== undefined) await client.query(BEFORE[name], [supplierId]);
  }

  /** The plan of a prepared query with values, with the settings of the service's connections. */
  async function planOf(text: string, values: readonly unknown[]): Promise<Plan> {
    await client.query(`PREPARE planned AS ${text}`);
    const list = values.length > 0 ? `(${values.map(literal).join(', ')})` : '';
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (COSTS OFF) EXECUTE planned${list}`,
    );
    await client.query('DEALLOCATE planned');
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    return {
      tasks: [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count)),
      isInParts: /Distributed Subplan|INSERT \.\.\. SELECT/.test(plan),
    };
  }

  /** The nodes to which the coordinator sends anything for a query. */
  async function nodesNeededBy(run: () => Promise<unknown>): Promise<string[]> {
    const nodes = new Set<string>();
    const collect = ({ detail }: { detail?: string }): void => {
      const [, node] = /^on server (\S+)/.exec(detail ?? '') ?? [];
      if (node !== undefined) nodes.add(node);
    };
    await client.query('SET LOCAL citus.log_remote_commands = on; SET LOCAL client_min_messages = notice');
    client.on('notice', collect);
    await run();
    client.off('notice', collect);
    return [...nodes];
  }

  // Queries of other test files in the same Jest process are not part of the service.
  const planned = queries().filter(
    ({ name }) => !(name in EVERY_SHARD) && !AT_THE_NODE.has(name) && !name.startsWith('tests.'),
  );

  it.each(planned.map((one) => [one.name, one] as const))('runs on one shard: %s', async (name, one) => {
    const { tasks, isInParts } = await planOf(one.text, valuesOf(one, supplierId));
    expect({ name, tasks }).toEqual({ name, tasks: tasks.map(() => 1) });
    expect({ name, isInParts }).toEqual({ name, isInParts: name in IN_PARTS });
  });

  it.each(planned.map((one) => [one.name, one] as const))(
    'is accepted however often it is prepared and run: %s',
    async (name, one) => {
      await prepare(name);
      const query = { name: one.name, text: one.text, values: valuesOf(one, supplierId) };
      for (let time = 0; time < TIMES; time += 1) {
        await client.query('SAVEPOINT before');
        await client.query(query);
        await client.query('ROLLBACK TO before');
      }
    },
  );

  it.each(planned.map((one) => [one.name, one] as const))(
    'needs no other node than that of the supplier: %s',
    async (name, one) => {
      await prepare(name);
      // A unique name, because the connection has forgotten the earlier statements but the driver has not.
      const query = { name: `${one.name}.nodes`, text: one.text, values: valuesOf(one, supplierId) };
      const nodes = await nodesNeededBy(() => client.query(query));
      expect({ name, isEvery: nodes.length > 1 }).toEqual({ name, isEvery: name in EVERY_NODE });
    },
  );

  it('would need every node if an INSERT of a list had the supplier only as a parameter', async () => {
    const nodes = await nodesNeededBy(() =>
      client.query(
        `WITH sent AS MATERIALIZED (SELECT n FROM unnest($2::text[]) AS n),
              added AS (
                INSERT INTO account_import (import_supplier_id, external_account_number, status)
                SELECT $1, n, 'pending' FROM sent
                RETURNING 1
              )
         SELECT count(*) FROM added`,
        [supplierId, ['E']],
      ),
    );
    expect(nodes.length).toBeGreaterThan(1);
  });

  it('would not be routed if a part named no supplier', async () => {
    const count = (condition: string): Promise<Plan> =>
      planOf(
        `SELECT (SELECT count(*) FROM note n WHERE ${condition}) FROM import_supplier s WHERE s.id = $1`,
        [supplierId],
      );
    expect((await count('n.import_supplier_id = $1')).tasks).toEqual([1]);
    await client.query('SAVEPOINT before');
    const other = await count('n.import_supplier_id = s.id').catch((error: unknown) => error);
    await client.query('ROLLBACK TO before');
    expect(other).not.toMatchObject({ tasks: [1] });
  });

  it('is listed as an exception only if it exists', () => {
    const names = queries().map(({ name }) => name);
    const excepted = [IN_PARTS, EVERY_SHARD, EVERY_NODE, OWN_VALUES, BEFORE]
      .flatMap(Object.keys)
      .concat([...AT_THE_NODE]);
    expect(excepted.filter((name) => !names.includes(name))).toEqual([]);
  });
});
