import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { findProgram, startProgram, type Program } from './program.js';
import { waitUntil } from './wait-until.js';

/** An installed PgBouncer. */
export interface PgBouncerProgram extends Program {
  /** Whether it supports prepared statements in transaction mode. */
  readonly supportsPrepared: boolean;
}

/** A running PgBouncer in transaction mode. */
export interface PgBouncer {
  /** The address of a database through PgBouncer. */
  readonly through: (url: string) => string;
  readonly stop: () => Promise<void>;
}

/** Server connections per database: fewer than concurrent clients, so that a client's transactions change connections. */
export const POOL_SIZE = 2;

/** @returns the PgBouncer installed on this machine, if any */
export async function findPgBouncer(): Promise<PgBouncerProgram | undefined> {
  const program = await findProgram('pgbouncer', '--version');
  if (!program) return undefined;
  const [major = 0, minor = 0] = program.version.split('.').map(Number);
  return { ...program, supportsPrepared: major > 1 || minor >= 21 };
}

/**
 * Start a PgBouncer in transaction mode in front of a server.
 *
 * @param serverUrl address of any database on the server; every client connects as its user
 */
export async function startPgBouncer(program: PgBouncerProgram, serverUrl: string): Promise<PgBouncer> {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl);
  const folder = await mkdtemp(join(tmpdir(), 'data-import-pgbouncer-'));
  // PgBouncer does not run as root and must read the folder.
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
    ...(program.supportsPrepared ? ['max_prepared_statements = 200'] : []),
  ];
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, `${settings.join('\n')}\n`);
  // PgBouncer refuses to run as root and switches to this user.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const { log, stop } = startProgram(program, [...user, file], folder, 'SIGINT');
  // An open port is no proof: another program might be listening.
  await waitUntil('PgBouncer listens', () => log().includes('process up'));
  return {
    through: (url) => {
      const address = new URL(url);
      address.hostname = '127.0.0.1';
      address.port = String(port);
      return address.href;
    },
    stop,
  };
}
