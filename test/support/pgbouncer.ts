import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from './wait-until.js';

/** A PgBouncer that can be started. */
export interface PgBouncerProgram {
  readonly path: string;
  /** For example `1.18.0`. */
  readonly version: string;
  /** Whether it follows prepared statements from one server connection to another. */
  readonly followsPrepared: boolean;
  readonly environment: NodeJS.ProcessEnv;
}

/** A running PgBouncer in transaction mode. */
export interface PgBouncer {
  /** The address of a database, through it. */
  readonly through: (url: string) => string;
  readonly stop: () => Promise<void>;
}

/** Server connections for each database: fewer than clients at work, so that transactions move between them. */
export const POOL_SIZE = 2;

const run = promisify(execFile);

/** A package mirror that does not answer must not hold up the tests. */
const DOWNLOAD_TIMEOUT_MS = 60_000;
const APT = [
  '-o',
  'Acquire::Retries=0',
  '-o',
  'Acquire::http::Timeout=10',
  '-o',
  'Acquire::https::Timeout=10',
];

/**
 * Find PgBouncer on this machine, or fetch the operating system's own package (Debian and its kin) into a folder, where
 * it changes nothing of the system and needs no privilege.
 *
 * @param folder where it may be unpacked
 * @returns a sentence why it cannot be had, where it cannot
 */
export async function findPgBouncer(folder: string): Promise<PgBouncerProgram | string> {
  const installed = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  for (const place of installed) {
    const program = await look(join(place, 'pgbouncer'), process.env);
    if (typeof program !== 'string') return program;
  }
  try {
    await fetchPackages(folder);
    const libraries = (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter(({ name }) => /\.so(\.|$)/.test(name))
      .map(({ parentPath }) => parentPath);
    const environment = { ...process.env, LD_LIBRARY_PATH: [...new Set(libraries)].join(delimiter) };
    return await look(join(folder, 'usr', 'sbin', 'pgbouncer'), environment);
  } catch (error) {
    return `it is not installed, and its package cannot be fetched: ${(error as Error).message.trim()}`;
  }
}

async function look(path: string, environment: NodeJS.ProcessEnv): Promise<PgBouncerProgram | string> {
  try {
    const { stdout } = await run(path, ['--version'], { env: environment });
    const [, major, minor, patch] = /(\d+)\.(\d+)\.(\d+)/.exec(stdout) ?? [];
    const followsPrepared = Number(major) > 1 || Number(minor) >= 21;
    return { path, version: `${major}.${minor}.${patch}`, followsPrepared, environment };
  } catch (error) {
    return `${path} cannot be run: ${(error as Error).message.trim()}`;
  }
}

/** Download PgBouncer and the libraries of it that are missing, and unpack them into the folder. */
async function fetchPackages(folder: string): Promise<void> {
  const options = { cwd: folder, timeout: DOWNLOAD_TIMEOUT_MS, env: { ...process.env, LC_ALL: 'C' } };
  const sources = await packageSources(folder, options);
  const { stdout } = await run('apt-cache', [...sources, 'depends', 'pgbouncer'], options);
  const libraries = [...stdout.matchAll(/^ *Depends: (lib\S+)$/gm)].map(([, name]) => name!);
  const missing: string[] = [];
  for (const name of libraries) {
    const status = await run('dpkg-query', ['-W', '-f', '${db:Status-Status}', name], options).catch(
      () => undefined,
    );
    if (status?.stdout !== 'installed') missing.push(name);
  }
  await run('apt-get', [...APT, ...sources, 'download', 'pgbouncer', ...missing], options);
  for (const name of await readdir(folder)) {
    if (name.endsWith('.deb')) await run('dpkg', ['-x', name, '.'], options);
  }
}

/** The system's list of packages; where it has none, as in a container, one of our own. */
async function packageSources(
  folder: string,
  options: { cwd: string; timeout: number; env: NodeJS.ProcessEnv },
): Promise<string[]> {
  const known = await run('apt-cache', ['show', 'pgbouncer'], options).catch(() => undefined);
  if (known) return [];
  const lists = join(folder, 'lists');
  await mkdir(join(lists, 'partial'), { recursive: true });
  const sources = ['-o', `Dir::State::lists=${lists}`, '-o', `Dir::Cache=${folder}`];
  await run('apt-get', [...APT, ...sources, 'update'], options);
  return sources;
}

/**
 * Put a PgBouncer in transaction mode in front of a server.
 *
 * @param serverUrl address of any database of the server; its user is the one of every client
 */
export async function startPgBouncer(program: PgBouncerProgram, serverUrl: string): Promise<PgBouncer> {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl);
  const folder = await mkdtemp(join(tmpdir(), 'data-import-pgbouncer-'));
  // It is not root that reads it.
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
  // It refuses to be root, and becomes whom it is told to.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(program.path, [...user, file], {
    env: program.environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const log = logOf(child);
  const ended = once(child, 'close');
  // That somebody listens there would not tell that it is this one.
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

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
