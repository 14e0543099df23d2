import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { findProgram, startProgram, type Program } from './program.js';
import { waitUntil } from './wait-until.js';

/** An installed PgBouncer. */
export interface PgBouncerProgram extends Program {
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

/** @returns the PgBouncer that is installed on this machine, if any */
export async function findPgBouncer(): Promise<PgBouncerProgram | undefined> {
  const program = await findProgram('pgbouncer', '--version');
  if (!program) return undefined;
  const [major = 0, minor = 0] = program.version.split('.').map(Number);
  return { ...program, followsPrepared: major > 1 || minor >= 21 };
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
  const { log, stop } = startProgram(program, [...user, file], folder, 'SIGINT');
  // A listener on the port might be another program.
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
