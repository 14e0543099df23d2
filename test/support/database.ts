import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { acquireDatabase, createClusterDatabase, distributeAll } from './cluster.js';
import { inBlock } from './set-up.js';
import { waitUntil } from './wait-until.js';

/** The database of one test file, cloned from the migrated one. */
export interface TestDatabase {
  readonly url: string;
  /** Whether its tables are on several nodes. */
  readonly isDistributed: boolean;
  /** The same as connection-options.ts is told it. */
  readonly kind: 'single' | 'coordinator';
  /** Run SQL on connections that are not the service's. Of several statements it returns the rows of the last. */
  readonly sql: <Row extends pg.QueryResultRow>(text: string, parameters?: unknown[]) => Promise<Row[]>;
  /** As {@link sql}, for SQL that makes imported accounts: on several nodes a second table has them too. */
  readonly imports: TestDatabase['sql'];
  /** Lock a table, so that requests that need it wait. @returns a function that lets them continue */
  readonly lock: (table: string, mode?: 'ACCESS EXCLUSIVE' | 'ROW EXCLUSIVE') => Promise<() => Promise<void>>;
  /** Wait until so many connections wait for a lock. @returns their process ids */
  readonly blocked: (count: number) => Promise<number[]>;
  /** A connection of its own, which ends with its block where it is declared with `await using`. */
  readonly connect: () => Promise<pg.Client & AsyncDisposable>;
  readonly drop: () => Promise<void>;
}

/** @param template name of the database to clone; the migrated one by default */
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

/** Whether the tests run on a Citus cluster: there, the databases of {@link createDatabase} are distributed. */
export function isCluster(): boolean {
  return process.env.TEST_CLUSTER_URL !== undefined;
}

/** Cases of a table that only a single node has. */
export function onSingleNode<Case>(...cases: readonly Case[]): readonly Case[] {
  return isCluster() ? [] : cases;
}

/** Address of the server on which the tests make their databases. */
function serverUrl(): string {
  return process.env.TEST_CLUSTER_URL ?? process.env.TEST_DATABASE_URL!;
}

/** @param remove called when it is dropped */
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
        await client.query(NOTE_IMPORTED);
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
          // Citus protects shards from what is done by hand.
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

const NOTE_IMPORTED = `
  INSERT INTO imported_account (import_supplier_id, external_account_number, service_account_number)
  SELECT import_supplier_id, external_account_number, service_account_number
    FROM account_import
   WHERE status = 'imported'
      ON CONFLICT DO NOTHING`;

/** The shards of a table on a node. */
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

/** The connections of clients to any node that wait, or for which another node waits. */
const BLOCKED_ON_NODES = `
  SELECT own.pid
    FROM citus_stat_activity own
   WHERE NOT own.is_worker_query
     AND own.datname = current_database()
     AND EXISTS (SELECT FROM citus_stat_activity any_part
                  WHERE any_part.global_pid = own.global_pid AND any_part.wait_event_type = 'Lock')`;

/** An empty database, without any migration. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0');
}

/**
 * A distributed database that no other test uses: after shards were moved, or the coordinator was killed, a shared one cannot be emptied
 * or has lost its user.
 */
export async function createOwnDatabase(suffix: string): Promise<TestDatabase> {
  const { url, release } = await createClusterDatabase(suffix, true);
  await distributeAll(url);
  return openDatabase(url, true, release);
}

/**
 * A database on every node of the cluster before its tables are distributed, without any migration.
 *
 * @param hasExtension whether it has the extension citus and knows its nodes
 */
export async function createUndistributedDatabase(hasExtension: boolean): Promise<TestDatabase> {
  const { url, release } = await createClusterDatabase(
    `undistributed_${randomBytes(4).toString('hex')}`,
    hasExtension,
  );
  return openDatabase(url, false, release);
}

/** An empty database, with the address of a role that has no rights in it. */
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
 * The error of a change that the database refuses; undefined when it accepts the change. Citus repeats only the message of
 * the node that refused it, with the names of the shard: the names here are those of the schema.
 */
export async function refusalOf(change: Promise<unknown>): Promise<pg.DatabaseError | undefined> {
  return change.then(
    () => undefined,
    (error: unknown) => {
      const refusal = error as pg.DatabaseError;
      for (const [what, pattern] of Object.entries(NAMED)) {
        const field = what as keyof typeof NAMED;
        refusal[field] ??= pattern.exec(refusal.message)?.[1]?.replace(OF_SHARD, '');
      }
      return refusal;
    },
  );
}

const NAMED = {
  table: /(?:relation|table) "([^"]+)"/,
  constraint: /constraint "([^"]+)"/,
  column: /column "([^"]+)"/,
} as const;

/** What Citus appends to the names of the tables and constraints of a shard. */
const OF_SHARD = /_1\d{5,}$/;

async function asAdministrator(text: string): Promise<void> {
  const url = new URL(serverUrl());
  url.pathname = '/postgres';
  await using client = inBlock(new pg.Client({ connectionString: url.href }));
  await client.connect();
  await client.query(text);
}
