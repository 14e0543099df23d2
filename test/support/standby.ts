import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { joinEmbeddedPostgres } from '../../src/infrastructure/database/embedded/embedded-postgres.js';
import { chooseUser, takeOwnership } from '../../src/infrastructure/database/embedded/run-as.js';
import type { Certificate } from './certificates.js';
import { freePort } from './free-port.js';
import { isAlive, postgresIn, signalTo } from './service-process.js';
import { waitUntil } from './wait-until.js';

/** Small, but as durable as a real installation. */
const SETTINGS = [
  'shared_buffers=64MB',
  'max_connections=60',
  'wal_keep_size=512MB',
  'wal_receiver_timeout=5s',
];

/** Excluded from a base backup: the standby receives the WAL by replication, and the rest belongs to the running server. */
const OF_RUNNING_SERVER =
  /\/postgres\/(pg_wal|pg_replslot|pg_dynshmem|pg_stat_tmp|pg_subtrans)\/|\/postmaster\.(pid|opts)$/;

/** One PostgreSQL of a pair. */
export interface PairServer {
  /** The postgres:// address of this server only. */
  readonly url: string;
  /** Run SQL on a new connection. */
  readonly sql: <Row extends pg.QueryResultRow>(text: string, parameters?: unknown[]) => Promise<Row[]>;
  /**
   * Enable TLS and require it of every role except the test's own.
   *
   * @param clientRoot the authority that issues the client certificates of the role `certified`, as PEM
   */
  readonly requireTls: (own: Certificate, clientRoot: string) => Promise<void>;
  /** Restart the server after it was killed, and wait until it answers. */
  readonly start: () => Promise<void>;
  /** Kill the server and all its processes, as in a power failure. */
  readonly kill: () => Promise<void>;
  /** Suspend or continue all processes of the server. While suspended, it keeps its connections and answers nothing. */
  readonly signal: (signal: 'SIGSTOP' | 'SIGCONT') => Promise<void>;
}

/** A primary and its synchronous standby: a commit on the primary is on the disks of both. */
export interface PostgresPair {
  readonly primary: PairServer;
  readonly standby: PairServer;
  /** Promote the standby; it waits for no standby of its own. `primary` and `standby` are swapped. */
  readonly promote: () => Promise<void>;
  /** Rebuild the current `standby` from a base backup of the primary. */
  readonly rebuildStandby: () => Promise<void>;
  /** Whether commits wait for the standby. */
  readonly isSynchronous: () => Promise<boolean>;
  readonly stop: () => Promise<void>;
}

/** Start a pair with an empty database. */
export async function startPair(): Promise<PostgresPair> {
  const home = await mkdtemp(join(tmpdir(), 'data-import-pair-'));
  let [primary, standby] = [await Member.in(join(home, 'a')), await Member.in(join(home, 'b'))];
  const rebuildStandby = async (): Promise<void> => {
    await standby.copyFrom(primary);
    await standby.start();
    await primary.configure({ synchronous_standby_names: '*' });
    await waitUntil('the standby is synchronous', isSynchronous);
  };
  const isSynchronous = async (): Promise<boolean> => {
    const rows = await primary.sql(`SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`);
    return rows.length > 0;
  };
  await primary.start();
  await rebuildStandby();
  return {
    get primary() {
      return primary;
    },
    get standby() {
      return standby;
    },
    promote: async () => {
      await standby.sql('SELECT pg_promote()');
      [primary, standby] = [standby, primary];
    },
    rebuildStandby,
    isSynchronous,
    stop: async () => {
      await Promise.all([primary.stop(), standby.stop()]);
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A single server with an empty database. */
export interface SingleServer extends Pick<PairServer, 'url' | 'sql' | 'requireTls'> {
  readonly stop: () => Promise<void>;
}

export async function startServer(): Promise<SingleServer> {
  const home = await mkdtemp(join(tmpdir(), 'data-import-server-'));
  const server = await Member.in(join(home, 'a'));
  await server.start();
  return {
    url: server.url,
    sql: server.sql,
    requireTls: (own, clientRoot) => server.requireTls(own, clientRoot),
    stop: async () => {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

class Member implements PairServer {
  private constructor(
    private readonly dataDir: string,
    private readonly port: number,
  ) {}

  static async in(dataDir: string): Promise<Member> {
    await mkdir(dataDir, { mode: 0o700 });
    // The copied database has the primary's password, so both servers use the same.
    await writeFile(join(dataDir, 'database-password'), PASSWORD, { mode: 0o600 });
    return new Member(dataDir, await freePort());
  }

  get url(): string {
    return `postgres://data_import:${PASSWORD}@127.0.0.1:${this.port}/data_import`;
  }

  async start(): Promise<void> {
    const { dataDir } = this;
    // The port, and with it the address, survives restarts.
    const serverSettings = [...SETTINGS, `port=${this.port}`];
    await joinEmbeddedPostgres({ dataDir, role: 'command', say: () => undefined, serverSettings });
    await waitUntil('the server answers', () =>
      this.sql('SELECT 1').then(
        () => true,
        () => false,
      ),
    );
  }

  readonly sql = async <Row extends pg.QueryResultRow>(
    text: string,
    parameters: unknown[] = [],
  ): Promise<Row[]> => {
    const client = new pg.Client(this.url);
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(text, parameters)).rows;
    } finally {
      await client.end();
    }
  };

  async configure(settings: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(settings)) {
      await this.sql(`ALTER SYSTEM SET ${name} = '${value}'`);
    }
    await this.sql('SELECT pg_reload_conf()');
  }

  async requireTls({ cert, key }: Certificate, clientRoot: string): Promise<void> {
    const cluster = join(this.dataDir, 'postgres');
    const files = {
      'server.crt': cert,
      'server.key': key,
      'root.crt': clientRoot,
      'pg_hba.conf': TLS_RULES.join('\n') + '\n',
    };
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(cluster, name), content, { mode: 0o600 });
      await takeOwnership(chooseUser(), this.dataDir, join(cluster, name));
    }
    await this.configure({ ssl: 'on', ssl_ca_file: 'root.crt' });
    await waitUntil('the server encrypts', async () => (await this.sql('SHOW ssl'))[0]!.ssl === 'on');
  }

  /** Replace the files of this server with a base backup, from which it starts as the standby. */
  async copyFrom(primary: Member): Promise<void> {
    const [from, to] = [join(primary.dataDir, 'postgres'), join(this.dataDir, 'postgres')];
    await rm(to, { recursive: true, force: true });
    const client = new pg.Client(primary.url);
    await client.connect();
    await client.query(`SELECT pg_backup_start('standby', true)`);
    await cp(from, to, {
      recursive: true,
      filter: (path) => !OF_RUNNING_SERVER.test(path),
    });
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await client.end();
    const { port, username, password } = new URL(primary.url);
    const address = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
    await writeFile(join(to, 'backup_label'), rows[0]!.labelfile);
    await writeFile(join(to, 'standby.signal'), '');
    await writeFile(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${address}'\n`);
  }

  async kill(): Promise<void> {
    const postmaster = await postgresIn(this.dataDir);
    // A running postmaster could start a process for a new connection after the list is read.
    if (postmaster) signalTo(postmaster.pid, 'SIGSTOP');
    const processes = await this.processes();
    for (const pid of processes) signalTo(pid, 'SIGKILL');
    await waitUntil('the server has ended', () => !processes.some(isAlive));
  }

  async signal(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    for (const pid of await this.processes()) signalTo(pid, signal);
  }

  async stop(): Promise<void> {
    if (await postgresIn(this.dataDir)) await this.kill();
  }

  /** The postmaster and its children. */
  private async processes(): Promise<number[]> {
    const postmaster = (await postgresIn(this.dataDir))?.pid;
    if (postmaster === undefined) return [];
    const children = await Promise.all(
      (await readdir('/proc'))
        .filter((name) => /^\d+$/.test(name))
        .map(async (name) => {
          const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
          const parent = Number(/\) \S (\d+) /.exec(stat)?.[1]);
          return parent === postmaster ? [Number(name)] : [];
        }),
    );
    return [postmaster, ...children.flat()];
  }
}

/** The lines of pg_hba.conf. */
const TLS_RULES = [
  'host all,replication data_import 127.0.0.1/32 scram-sha-256',
  'hostssl all certified 127.0.0.1/32 cert',
  'hostssl all all 127.0.0.1/32 scram-sha-256',
];

const PASSWORD = 'a0'.repeat(32);
