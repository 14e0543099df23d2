import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'undici';
import { createAuthority } from './certificates.js';
import { freePort } from './free-port.js';
import { waitUntil } from './wait-until.js';

/** An installed HAProxy. */
export interface HaproxyProgram {
  readonly path: string;
  /** For example `2.6.12`. */
  readonly version: string;
}

/** A running HAProxy with the configuration of deploy/. */
export interface Haproxy {
  readonly origin: string;
  /** The certificate of the authority that {@link origin} is to be trusted for. */
  readonly ca: string;
  /** Wait until it uses an instance, or has found out that it may not. @param times how often that has happened since the start */
  readonly untilServerIs: (name: 'one' | 'two', state: 'UP' | 'DOWN', times: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

const run = promisify(execFile);

/** @returns the HAProxy that is installed on this machine, if any */
export async function findHaproxy(): Promise<HaproxyProgram | undefined> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  for (const folder of folders) {
    const path = join(folder, 'haproxy');
    const version = await run(path, ['-v']).catch(() => undefined);
    const [, number] = /(\d+\.\d+\.\d+)/.exec(version?.stdout ?? '') ?? [];
    if (number !== undefined) return { path, version: number };
  }
  return undefined;
}

/** @param ports of the two instances */
export async function startHaproxy(
  program: HaproxyProgram,
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
    // What happens to the instances, and not every request.
    ['log /dev/log local0', 'log stdout format raw local0 notice'],
    // Only root can become another user.
    ...(process.getuid?.() === 0 ? [] : [[/^ +(user|group) .*$/gm, ''] as [RegExp, string]]),
  ];
  let text = await readFile('deploy/haproxy.cfg', 'utf8');
  for (const [from, to] of replacements) {
    const replaced = text.replace(from, to);
    if (replaced === text) throw new Error(`deploy/haproxy.cfg has no ${String(from)}.`);
    text = replaced;
  }
  await writeFile(file, text);
  const child = spawn(program.path, ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let log = '';
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (piece: string) => {
      log += piece;
    });
  }
  const origin = `https://127.0.0.1:${port}`;
  const client = new Client(origin, { connect: { ca: authority.cert } });
  await waitUntil('HAProxy has an instance', async () => {
    if (child.exitCode !== null) throw new Error(`HAProxy ended: ${log}`);
    const reply = await client.request({ path: '/health/ready', method: 'GET' }).catch(() => undefined);
    await reply?.body.dump();
    return reply?.statusCode === 200;
  });
  await client.close();
  return {
    origin,
    ca: authority.cert,
    untilServerIs: (name, state, times) =>
      waitUntil(`HAProxy says that ${name} is ${state}`, () => {
        if (child.exitCode !== null) throw new Error(`HAProxy ended: ${log}`);
        return log.split(`Server data_import/${name} is ${state}`).length > times;
      }),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
