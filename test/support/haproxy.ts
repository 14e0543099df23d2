import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'undici';
import { createAuthority } from './certificates.js';
import { freePort } from './free-port.js';
import { findProgram, startProgram, type Program } from './program.js';
import { startProxy } from './tcp-proxy.js';
import { waitUntil } from './wait-until.js';

/** A running HAProxy with deploy/haproxy.cfg. */
export interface Haproxy {
  readonly origin: string;
  /** The certificate of the authority to trust for {@link origin}. */
  readonly ca: string;
  /** Wait until HAProxy has logged the state of an instance. @param times how often since the start */
  readonly untilServerIs: (name: 'one' | 'two', state: 'UP' | 'DOWN', times: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** @returns the HAProxy installed on this machine, if any */
export const findHaproxy = (): Promise<Program | undefined> => findProgram('haproxy', '-v');

/** @param ports of the two instances */
export async function startHaproxy(
  program: Program,
  [one, two]: readonly [number, number],
): Promise<Haproxy> {
  const folder = await mkdtemp(join(tmpdir(), 'data-import-haproxy-'));
  const [pem, file, port] = [join(folder, 'import.pem'), join(folder, 'haproxy.cfg'), await freePort()];
  const authority = await createAuthority();
  const { cert, key } = await authority.issue({ host: '127.0.0.1' });
  await writeFile(pem, `${cert}\n${key}`);
  const replacements: readonly [string | RegExp, string][] = [
    ['bind :443', `bind 127.0.0.1:${port}`],
    ['/etc/haproxy/import.example.com.pem', pem],
    ['127.0.0.1:3001', `127.0.0.1:${one}`],
    ['127.0.0.1:3002', `127.0.0.1:${two}`],
    // Log the state changes of the instances, not every request.
    ['log /dev/log local0', 'log stdout format raw local0 notice'],
    // Only root can switch to another user.
    ...(process.getuid?.() === 0 ? [] : [[/^ +(user|group) .*$/gm, ''] as [RegExp, string]]),
  ];
  let config = await readFile('deploy/haproxy.cfg', 'utf8');
  for (const [from, to] of replacements) {
    const replaced = config.replace(from, to);
    if (replaced === config) throw new Error(`deploy/haproxy.cfg has no ${String(from)}.`);
    config = replaced;
  }
  await writeFile(file, config);
  const { stop, log } = startProgram(program, ['-db', '-f', file], folder);
  const origin = `https://127.0.0.1:${port}`;
  const client = new Client(origin, { connect: { ca: authority.cert } });
  await waitUntil('HAProxy has an instance', async () => {
    log();
    const reply = await client.request({ path: '/health/ready', method: 'GET' }).catch(() => undefined);
    await reply?.body.dump();
    return reply?.statusCode === 200;
  });
  await client.close();
  return {
    origin,
    ca: authority.cert,
    untilServerIs: (name, state, times) =>
      waitUntil(
        `HAProxy says that ${name} is ${state}`,
        () => log().split(`Server data_import/${name} is ${state}`).length > times,
      ),
    stop,
  };
}

/** A running HAProxy in front of PostgreSQL. */
export interface PostgresProxy {
  /** The address of the database through the proxy. */
  readonly url: string;
  /** Route new connections to another server; open connections stay. */
  readonly redirect: (serverUrl: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * Start a proxy in front of servers, which first routes to the first of them. Without an installed HAProxy, it is one made
 * with Node.js.
 *
 * @param serverUrls addresses of local servers that differ only in their ports
 */
export async function startPostgresProxy(serverUrls: readonly [string, ...string[]]): Promise<PostgresProxy> {
  const program = await findHaproxy();
  if (!program) return startNodeProxy(serverUrls[0]);
  const folder = await mkdtemp(join(tmpdir(), 'data-import-haproxy-'));
  const [file, socket, port] = [join(folder, 'haproxy.cfg'), join(folder, 'admin'), await freePort()];
  const portOf = (url: string): string => new URL(url).port;
  const lines = [
    'global',
    `  stats socket ${socket} level admin`,
    'defaults',
    '  mode tcp',
    '  timeout connect 5s',
    '  timeout client 1h',
    '  timeout server 1h',
    'listen postgres',
    `  bind 127.0.0.1:${port}`,
    ...serverUrls.map((url, index) => {
      const state = index === 0 ? '' : ' disabled';
      return `  server p${portOf(url)} 127.0.0.1:${portOf(url)}${state}`;
    }),
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  const { stop, log } = startProgram(program, ['-db', '-f', file], folder);
  const command = async (line: string): Promise<string> => {
    log();
    const admin = connect(socket);
    admin.end(`${line}\n`);
    return text(admin);
  };
  await waitUntil('HAProxy accepts commands', () =>
    command('show info').then(
      (answer) => answer.includes('Name: HAProxy'),
      () => false,
    ),
  );
  const url = new URL(serverUrls[0]);
  url.port = String(port);
  return {
    url: url.href,
    redirect: async (to) => {
      for (const other of serverUrls) {
        const state = portOf(other) === portOf(to) ? 'ready' : 'maint';
        const answer = await command(`set server postgres/p${portOf(other)} state ${state}`);
        if (answer.trim() !== '') throw new Error(`HAProxy: ${answer}`);
      }
    },
    stop,
  };
}

async function startNodeProxy(serverUrl: string): Promise<PostgresProxy> {
  const proxy = await startProxy(serverUrl);
  return {
    url: proxy.through(serverUrl),
    redirect: (url) => {
      proxy.redirect(url);
      return Promise.resolve();
    },
    stop: proxy.cut,
  };
}
