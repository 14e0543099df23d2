import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.js';
import { waitUntil } from './wait-until.js';

/** An installed PgBouncer. */
export interface PgBouncerProgram {
  readonly path: string;
  /** For example `1.18.0`. */
  readonly version: string;
  /** Whether it follows prepared statements from one server connection to another. */
  readonly followsPrepared: boolean;
}

/** A running PgBouncer in transaction mode. */
export interface PgBouncer {
  /** The address of a database, through it. */
  readonly through: (url: string) => string;
  readonly stop: () => Promise<void>;
}

/** Server connections for each database: fewer than concurrent clients, so that transactions move between them. */
export const POOL_SIZE = 2;

const run = promisify(execFile);

/** @returns the PgBouncer that is installed on this machine, if any */
export async function findPgBouncer(): Promise<PgBouncerProgram | undefined> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  for (const folder of folders) {
    const path = join(folder, 'pgbouncer');
    const version = await run(path, ['--version']).catch(() => undefined);
    const [, major, minor, patch] = /(\d+)\.(\d+)\.(\d+)/.exec(version?.stdout ?? '') ?? [];
    if (major === undefined) continue;
    const followsPrepared = Number(major) > 1 || Number(minor) >= 21;
    return { path, version: `${major}.${minor}.${patch}`, followsPrepared };
  }
  return undefined;
}

/**
 * Put a PgBouncer in transaction mode in front of a server.
 *
 * @param serverUrl address of any database of the server; its user is the one of every client
 */
export async function startPgBouncer(program: PgBouncerProgram, serverUrl: string): Promise<PgBouncer> {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl);
  const folder = await mkdtemp(join(tmpdir(), 'data-import-pgbouncer-'));
  // Another user than root reads it.
  await chmod(folder, 0o755);
  const port = await freePort();
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${serverPort} user=${username} password=${password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${POOL_SIZE}`,
    'max_client_conn = 200',
    'ignore_startup_parameters = options',
    ...(program.followsPrepared ? ['max_prepared_statements = 200'] : []),
  ];
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, `${settings.join('\n')}\n`);
  // It refuses to run as root, and changes to the user of this option.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(program.path, [...user, file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const log = logOf(child);
  const ended = once(child, 'close');
  // A listener on the port might be another program.
  await waitUntil('PgBouncer listens', () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${log()}`);
    return log().includes('process up');
  });
  return {
    through: (url) => {
      const address = new URL(url);
      address.hostname = '127.0.0.1';
      address.port = String(port);
      return address.href;
    },
    stop: async () => {
      child.kill('SIGINT');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

function logOf({ stderr }: Pick<ChildProcess, 'stderr'>): () => string {
  let text = '';
  stderr?.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  return () => text;
}
