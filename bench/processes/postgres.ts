import { mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { joinEmbeddedPostgres } from '../../src/infrastructure/database/embedded/embedded-postgres.js';

/** The PostgreSQL server of a run, with the same settings and durability as with `npm start`. */
export interface BenchPostgres {
  /** Temporary folder of the run; removed when the server is stopped. */
  readonly folder: string;
  readonly version: string;
  /** Kind of storage below the folder, for the description of the machine. */
  readonly storage: string;
  readonly pid: number;
  /** Create a database: empty, or a copy of one without connections. @returns its postgres:// address */
  readonly createDatabase: (name: string, template?: string) => Promise<string>;
  readonly dropDatabase: (name: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** File system type of tmpfs, where no write waits for a disk. */
const TMPFS = 0x01021994;

/** @param parent folder in which the temporary one is created */
export async function startPostgres(parent: string, log: (sentence: string) => void): Promise<BenchPostgres> {
  const folder = await mkdtemp(join(parent, 'data-import-bench-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const server = await joinEmbeddedPostgres({ dataDir: folder, role: 'service', say: log });
    const stop = async (): Promise<void> => {
      await server.release();
      await remove();
    };
    try {
      const [{ server_version: version }] = (await query(server.url, 'SHOW server_version')) as [
        { server_version: string },
      ];
      const pidFile = await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8');
      const isMemory = (await statfs(folder)).type === TMPFS;
      if (isMemory) {
        log(
          `${folder} is in memory (tmpfs), where no write waits for a disk; choose a folder on a disk with --folder.`,
        );
      }
      return {
        folder,
        version,
        storage: isMemory ? 'memory (tmpfs)' : 'disk',
        pid: Number.parseInt(pidFile, 10),
        createDatabase: async (name, template = 'template1') => {
          await query(server.url, `CREATE DATABASE ${name} TEMPLATE ${template}`);
          const url = new URL(server.url);
          url.pathname = `/${name}`;
          return url.href;
        },
        dropDatabase: async (name) => {
          await query(server.url, `DROP DATABASE ${name} WITH (FORCE)`);
        },
        stop,
      };
    } catch (error) {
      await stop();
      throw error;
    }
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Run one query on a new connection. */
export function query(url: string, text: string, parameters: readonly unknown[] = []): Promise<unknown[]> {
  return withClient(
    url,
    async (client) => (await client.query<pg.QueryResultRow>(text, [...parameters])).rows,
  );
}

/** Open a connection and close it when the work ends. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'data-import bench' });
  // When the connection is lost between two queries, the next query fails; no handler is needed.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
