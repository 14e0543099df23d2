import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { acquireDatabase, createClusterDatabase, distributeAll } from './cluster.js';
import { inBlock } from './set-up.js';
import { waitUntil } from './wait-until.js';

/** The database of one test file, a clone of the migrated template. */
export interface TestDatabase {
  readonly url: string;
  /** Whether its tables are on several nodes. */
  readonly isDistributed: boolean;
  /** The same fact, in the form that connection-options.ts takes. */
  readonly kind: 'single' | 'coordinator';
  /** Run SQL on connections other than the service's. With several statements, it returns the rows of the last one. */
  readonly sql: <Row extends pg.QueryResultRow>(text: string, parameters?: unknown[]) => Promise<Row[]>;
  /** Like {@link sql}, for SQL that creates imported accounts: on several nodes, a second table records them too. */
  readonly imports: TestDatabase['sql'];
  /** Lock a table, so that requests that need it wait. @returns a function that releases the lock */
  readonly lock: (table: string, mode?: 'ACCESS EXCLUSIVE' | 'ROW EXCLUSIVE') => Promise<() => Promise<void>>;
  /** Wait until at least `count` connections wait for a lock. @returns their process ids */
  readonly blocked: (count: number) => Promise<number[]>;
  /** Open a separate connection. Declared with `await using`, it closes at the end of the block. */
  readonly connect: () => Promise<pg.Client & AsyncDisposable>;
  readonly drop: () => Promise<void>;
}

/** @param template name of the database to clone; the migrated template by default */
export async function createDatabase(template?: string): Promise<TestDatabase> {
  if (isCluster() && template === undefined) {
    const { url, release } = await acquireDatabase();
    return openDatabase(url, true, release);
  }
  const url = new URL(serverUrl());
  const source = template ?? url.pathname.slice(1);
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdministrator(`CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY file_copy`);
  url.pathname = `/${name}`;
  return openDatabase(url.href, false, () => asAdministrator(`DROP DATABASE ${name} WITH (FORCE)`));
}

/** Whether the tests run on a Citus cluster, where the databases of {@link createDatabase} are distributed. */
export function isCluster(): boolean {
  return process.env.TEST_CLUSTER_URL !== undefined;
}

/** Test cases that apply to a single node only; none on a cluster. */
export function onSingleNode<Case>(...cases: readonly Case[]): readonly Case[] {
  return isCluster() ? [] : cases;
}

/** Address of the server on which the tests create their databases. */
function serverUrl(): string {
  return process.env.TEST_CLUSTER_URL ?? process.env.TEST_DATABASE_URL!;
}

/** @param remove called by `drop` */
export function openDatabase(url: string, isDistributed: boolean, remove: () => Promise<void>): TestDatabase {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on('error', () => undefined);
  const sql: TestDatabase['sql'] = async <Row extends pg.QueryResultRow>(
    text: string,
    parameters: unknown[] = [],
  ) => {
    const results = [await pool.query<Row>(text, parameters)].flat();
    return results.at(-1)!.rows;
  };
  return {
    url,
    isDistributed,
    kind: isDistributed ? 'coordinator' : 'single',
    sql,
    imports: async <Row extends pg.QueryResultRow>(text: string, parameters: unknown[] = []) => {
      if (!isDistributed) return sql<Row>(text, parameters);
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        const { rows } = await client.query<Row>(text, parameters);
        await client.query(RECORD_IMPORTED);
        await client.query('COMMIT');
        return rows;
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    },
    lock: async (table, mode = 'ACCESS EXCLUSIVE') => {
      const places = isDistributed ? await sql<Shards>(SHARDS, [table]) : [];
      const all = [{ address: new URL(url).host, tables: [table] }, ...places];
      const clients = await Promise.all(
        all.map(async ({ address, tables }) => {
          const client = new pg.Client({
            connectionString: Object.assign(new URL(url), { host: address }).href,
          });
          await client.connect();
          // By default, Citus refuses manual changes to shards.
          if (isDistributed) await client.query('SET citus.enable_manual_changes_to_shards = on');
          await client.query(`BEGIN; LOCK TABLE ${tables.join(', ')} IN ${mode} MODE`);
          return client;
        }),
      );
      return async () => {
        for (const client of clients) await client.end();
      };
    },
    blocked: async (count) => {
      let waiting: number[] = [];
      await waitUntil(`${count} connections wait for a lock`, async () => {
        const rows = await sql<{ pid: number }>(isDistributed ? BLOCKED_ON_NODES : BLOCKED);
        waiting = rows.map(({ pid }) => pid);
        return waiting.length >= count;
      });
      return waiting;
    },
    connect: async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return inBlock(client);
    },
    drop: async () => {
      await pool.end();
      await remove();
    },
  };
}

const RECORD_IMPORTED = `
  INSERT INTO imported_account (import_supplier_id, external_account_number, service_account_number)
  SELECT import_supplier_id, external_account_number, service_account_number
    FROM account_import
   WHERE status = 'imported'
      ON CONFLICT DO NOTHING`;

/** The shards of a table on one node. */
interface Shards extends pg.QueryResultRow {
  readonly address: string;
  readonly tables: readonly string[];
}

const SHARDS = `
  SELECT n.nodename || ':' || n.nodeport AS address, array_agg(shard_name(d.logicalrelid, d.shardid) ORDER BY d.shardid) AS tables
    FROM pg_dist_shard d
    JOIN pg_dist_placement p ON p.shardid = d.shardid
    JOIN pg_dist_node n ON n.groupid = p.groupid AND n.groupid <> 0
   WHERE d.logicalrelid = $1::text::regclass
   GROUP BY 1`;

const BLOCKED = `
  SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Client connections to any node that wait for a lock, there or on another node. */
const BLOCKED_ON_NODES = `
  SELECT own.pid
    FROM citus_stat_activity own
   WHERE NOT own.is_worker_query
     AND own.datname = current_database()
     AND EXISTS (SELECT FROM citus_stat_activity any_part
                  WHERE any_part.global_pid = own.global_pid AND any_part.wait_event_type = 'Lock')`;

/** Create an empty database without any migration. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0');
}

/**
 * Create a distributed database that no other test reuses. A test that moves shards or kills the coordinator needs one: after
 * that, a reused database could not be emptied or would have lost its user.
 */
export async function createOwnDatabase(suffix: string): Promise<TestDatabase> {
  const { url, release } = await createClusterDatabase(suffix, true);
  await distributeAll(url);
  return openDatabase(url, true, release);
}

/**
 * Create an empty database on every node of the cluster, without any migration or distributed table.
 *
 * @param hasExtension whether to create the Citus extension and register the nodes
 */
export async function createUndistributedDatabase(hasExtension: boolean): Promise<TestDatabase> {
  const { url, release } = await createClusterDatabase(
    `undistributed_${randomBytes(4).toString('hex')}`,
    hasExtension,
  );
  return openDatabase(url, false, release);
}

/** Create an empty database whose address names a role without privileges in it. */
export async function createForbiddenDatabase(): Promise<TestDatabase> {
  const empty = await createEmptyDatabase();
  const role = `guest_${randomBytes(4).toString('hex')}`;
  await empty.sql(`CREATE ROLE ${role} LOGIN PASSWORD 'guest'`);
  const url = new URL(empty.url);
  [url.username, url.password] = [role, 'guest'];
  const drop = async (): Promise<void> => {
    await empty.drop();
    await asAdministrator(`DROP ROLE ${role}`);
  };
  return { ...empty, url: url.href, drop };
}

/**
 * The error of a change that the database refuses; undefined when it accepts the change. Citus passes on only the node's
 * message, with the names of the shard, so table, constraint and column are parsed from it and named as in the schema.
 */
export async function refusalOf(change: Promise<unknown>): Promise<pg.DatabaseError | undefined> {
  return change.then(
    () => undefined,
    (error: unknown) => {
      const refusal = error as pg.DatabaseError;
      for (const [name, pattern] of Object.entries(NAME_PATTERNS)) {
        const field = name as keyof typeof NAME_PATTERNS;
        refusal[field] ??= pattern.exec(refusal.message)?.[1]?.replace(SHARD_SUFFIX, '');
      }
      return refusal;
    },
  );
}

const NAME_PATTERNS = {
  table: /(?:relation|table) "([^"]+)"/,
  constraint: /constraint "([^"]+)"/,
  column: /column "([^"]+)"/,
} as const;

/** The suffix that Citus appends to the names of a shard's tables and constraints. */
const SHARD_SUFFIX = /_1\d{5,}$/;

async function asAdministrator(text: string): Promise<void> {
  const url = new URL(serverUrl());
  url.pathname = '/postgres';
  await using client = inBlock(new pg.Client({ connectionString: url.href }));
  await client.connect();
  await client.query(text);
}
