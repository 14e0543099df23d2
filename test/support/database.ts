import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { waitUntil } from './wait-until.js';

/** The database of one test file, cloned from the migrated one. */
export interface TestDatabase {
  readonly url: string;
  /** Run SQL on connections that are not the service's. */
  readonly sql: <Row extends pg.QueryResultRow>(text: string, parameters?: unknown[]) => Promise<Row[]>;
  /** Lock a table, so that requests that need it wait. @returns a function that lets them continue */
  readonly lock: (table: string) => Promise<() => Promise<void>>;
  /** Wait until so many connections wait for a lock. @returns their process ids */
  readonly blocked: (count: number) => Promise<number[]>;
  readonly drop: () => Promise<void>;
}

/** @param template name of the database to clone; the migrated one by default */
export async function createDatabase(template?: string): Promise<TestDatabase> {
  const templateUrl = new URL(process.env.TEST_DATABASE_URL!);
  const name = `test_${randomBytes(8).toString('hex')}`;
  const source = template ?? templateUrl.pathname.slice(1);
  await asAdministrator(`CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY file_copy`);
  const url = new URL(templateUrl);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 4 });
  pool.on('error', () => undefined);
  const sql: TestDatabase['sql'] = async <Row extends pg.QueryResultRow>(
    text: string,
    parameters: unknown[] = [],
  ) => (await pool.query<Row>(text, parameters)).rows;
  return {
    url: url.href,
    sql,
    lock: async (table) => {
      const client = new pg.Client({ connectionString: url.href });
      await client.connect();
      await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      return () => client.end();
    },
    blocked: async (count) => {
      let waiting: number[] = [];
      await waitUntil(`${count} connections wait for a lock`, async () => {
        const rows = await sql<{ pid: number }>(
          `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        waiting = rows.map(({ pid }) => pid);
        return waiting.length >= count;
      });
      return waiting;
    },
    drop: async () => {
      await pool.end();
      await asAdministrator(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** An empty database, without any migration. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0');
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

/** The error of a change that the database refuses; undefined when it accepts the change. */
export async function refusalOf(change: Promise<unknown>): Promise<pg.DatabaseError | undefined> {
  return change.then(
    () => undefined,
    (error: unknown) => error as pg.DatabaseError,
  );
}

async function asAdministrator(text: string): Promise<void> {
  const url = new URL(process.env.TEST_DATABASE_URL!);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
