import { mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { joinEmbeddedPostgres } from '../src/database/embedded/embedded-postgres.js';

/** The one PostgreSQL of a run, with the settings and the durability that `npm start` gives it. */
export interface BenchPostgres {
  /** Temporary folder of the run, removed at its end. */
  readonly folder: string;
  readonly version: string;
  /** What the folder's files are kept on, for the description of the machine. */
  readonly storage: string;
  readonly pid: number;
  /** Make an empty database. @returns its postgres:// address */
  readonly createDatabase: (name: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** File system type of memory that calls itself a disk: nothing waits for a disk there. */
const TMPFS = 0x01021994;

/** @param parent folder in which the temporary one is made */
export async function startPostgres(parent: string, say: (sentence: string) => void): Promise<BenchPostgres> {
  const folder = await mkdtemp(join(parent, 'data-import-bench-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const server = await joinEmbeddedPostgres({ dataDir: folder, role: 'service', say });
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
        say(`${folder} is kept in memory, where no write waits for a disk; name a real one with --folder.`);
      }
      return {
        folder,
        version,
        storage: isMemory ? 'memory (tmpfs)' : 'disk',
        pid: Number.parseInt(pidFile, 10),
        createDatabase: async (name) => {
          await query(server.url, `CREATE DATABASE ${name}`);
          const url = new URL(server.url);
          url.pathname = `/${name}`;
          return url.href;
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

/** Run one statement on a connection of its own. */
export function query(url: string, text: string, parameters: readonly unknown[] = []): Promise<unknown[]> {
  return withClient(
    url,
    async (client) => (await client.query<pg.QueryResultRow>(text, [...parameters])).rows,
  );
}

/** Lend a connection for some work. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'data-import bench' });
  // A connection that is lost between two queries fails the next one.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
