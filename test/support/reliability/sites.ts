import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, statfs, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { freePort } from '../free-port.js';
import { roundRobin, type LoadDatabase, type Poster } from '../import-load.js';
import {
  isAlive,
  postgresIn,
  signalTo,
  spawnService,
  sqlIn,
  urlIn,
  type ServiceProcess,
} from '../service-process.js';
import { TOKEN_SIGNING_KEY } from '../service.js';
import { waitUntil } from '../wait-until.js';

/** Services and their database, into which faults are injected. */
export interface Site {
  /** Makes the client of a caller. */
  readonly connect: () => Poster;
  /** The database behind everything, reached directly. */
  readonly database: LoadDatabase;
  readonly stop: () => Promise<void>;
}

/** One service with the embedded PostgreSQL, as `npm start` starts it. It keeps its address across restarts. */
export class EmbeddedSite implements Site {
  private service!: ServiceProcess;
  private url = '';

  private constructor(
    private readonly home: string,
    readonly dataDir: string,
    private readonly port: number,
    readonly origin: string,
  ) {}

  /** @param prepare called with the folder of DATA_DIR before the service starts */
  static async start(prepare?: (dataDir: string) => Promise<void>): Promise<EmbeddedSite> {
    const home = await mkdtemp(join(tmpdir(), 'data-import-site-'));
    const dataDir = join(home, 'data');
    await mkdir(dataDir, { mode: 0o700 });
    await prepare?.(dataDir);
    const port = await freePort();
    const site = new EmbeddedSite(home, dataDir, port, `http://127.0.0.1:${port}`);
    await site.run();
    return site;
  }

  readonly connect = roundRobin(() => [this.origin]);

  /** Each query first waits until PostgreSQL answers, which it does not during recovery. */
  get database(): LoadDatabase {
    const sql = async <Row extends pg.QueryResultRow>(
      text: string,
      parameters?: unknown[],
    ): Promise<Row[]> => {
      await waitUntil('PostgreSQL answers', () =>
        sqlIn(this.dataDir, 'SELECT 1').then(
          () => true,
          () => false,
        ),
      );
      return sqlIn<Row>(this.dataDir, text, parameters);
    };
    return { url: this.url, sql };
  }

  /**
   * Send the service a signal, wait until it ends, and start it again.
   *
   * @returns exit code or signal
   */
  async restartAfter(signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
    const end = await this.end(signal);
    await this.run();
    return end;
  }

  /** Send a signal to the postmaster, which ends the service too, and restart the service, as a process manager would. */
  async signalPostgres(signal: NodeJS.Signals): Promise<void> {
    await waitUntil('PostgreSQL is there', async () => (await postgresIn(this.dataDir)) !== undefined);
    process.kill((await postgresIn(this.dataDir))!.pid, signal);
    await this.service.ended;
    await this.run();
  }

  /** Restart the service if it has ended. */
  async runIfEnded(): Promise<void> {
    if (!isAlive(this.service.pid)) await this.run();
  }

  /** Kill the backend process of one of the service's connections. */
  async killConnection(): Promise<void> {
    await waitUntil('a process of a connection is killed', async () => {
      const [row] = await this.database.sql<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'data-import' AND backend_type = 'client backend'
          LIMIT 1`,
      );
      return row !== undefined && signalTo(row.pid, 'SIGKILL');
    });
  }

  /** End the service and keep its folder. @returns exit code or signal */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals> {
    this.service.kill(signal);
    return this.service.ended;
  }

  async stop(): Promise<void> {
    await this.end();
    await rm(this.home, { recursive: true, force: true });
  }

  private async run(): Promise<void> {
    this.service = spawnService({
      PORT: String(this.port),
      DATA_DIR: this.dataDir,
      TOKEN_SIGNING_KEY,
      // Otherwise each start would load the operators' modules for them.
      DEMONSTRATION: 'off',
      CONSOLE: 'off',
    });
    await this.service.listening();
    // PostgreSQL has another port after each start.
    this.url = await urlIn(this.dataDir);
  }
}

/** Several services on one database. */
export interface Services {
  /** Clients that distribute their requests over the services, round robin. */
  readonly connect: () => Poster;
  readonly stop: () => Promise<void>;
}

/** @param settings environment variables of each service */
export async function startServices(count: number, settings: Record<string, string>): Promise<Services> {
  const home = await mkdtemp(join(tmpdir(), 'data-import-services-'));
  const running: ServiceProcess[] = [];
  const origins: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const service = spawnService({
      DATA_DIR: join(home, String(number)),
      TOKEN_SIGNING_KEY,
      DOCUMENT_STORE: `file://${home}`,
      SANDBOX_VENDOR: 'on',
      ...settings,
    });
    running.push(service);
    // Sequentially, because the first service migrates the database.
    origins.push(await service.listening());
  }
  return {
    connect: roundRobin(() => origins),
    stop: async () => {
      for (const service of running) service.kill('SIGTERM');
      await Promise.all(running.map(({ ended }) => ended));
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A small file system that a test can fill. */
export class SmallDisk {
  private readonly ballast: string;

  private constructor(private readonly folder: string) {
    this.ballast = join(folder, 'ballast');
  }

  /** Mount a tmpfs, which only root may do. */
  static async mount(folder: string, megabytes: number): Promise<SmallDisk> {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder]);
    return new SmallDisk(folder);
  }

  /** Use up all free space. */
  async fill(): Promise<void> {
    const { bavail, bsize } = await statfs(this.folder);
    // Other files may grow meanwhile, so the last write may fail for lack of space.
    await writeFile(this.ballast, Buffer.alloc(bavail * bsize)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    });
  }

  async free(): Promise<void> {
    await truncate(this.ballast, 0);
  }

  async unmount(): Promise<void> {
    await run('umount', [this.folder]);
  }
}

const run = promisify(execFile);
