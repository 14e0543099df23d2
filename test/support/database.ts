import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A database of a test file's own, cloned from the migrated one. */
export interface TestDatabase {
  readonly url: string;
  /** Run SQL as an operator would, beside the service. */
  readonly sql: <Row extends pg.QueryResultRow>(text: string, parameters?: unknown[]) => Promise<Row[]>;
  /** Lock a table, so that requests that need it wait. @returns lets them go on */
  readonly lock: (table: string) => Promise<() => Promise<void>>;
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
  return {
    url: url.href,
    sql: async <Row extends pg.QueryResultRow>(text: string, parameters: unknown[] = []) =>
      (await pool.query<Row>(text, parameters)).rows,
    lock: async (table) => {
      const client = new pg.Client({ connectionString: url.href });
      await client.connect();
      await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      return () => client.end();
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
