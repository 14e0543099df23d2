import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { NO_SETTINGS } from '../../src/config/env.js';
import { waitUntil } from './wait-until.js';

/** The service as an operator starts it. */
export interface ServiceProcess {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The address it says it listens on. */
  readonly listening: () => Promise<string>;
  /** From now on nobody reads what it writes. */
  readonly stopReading: () => void;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/**
 * The environment of a program of ours: PATH and what is given, nothing else of the tests' own environment or of a file
 * `.env`, which may name a database that is in use.
 */
export function onlyWith(settings: Record<string, string>): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, ...NO_SETTINGS, ...settings };
}

/** @param settings environment variables, see {@link onlyWith} */
export function spawnService(settings: Record<string, string>): ServiceProcess {
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    env: onlyWith({ PORT: '0', LOG_LEVEL: 'warn', ...settings }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  }
  let isOver = false;
  const ended = once(child, 'close').then(([code, signal]) => {
    isOver = true;
    return (code ?? signal) as number | NodeJS.Signals;
  });
  const address = (): string | undefined => /Listening on (\S+)\. /.exec(written.stdout)?.[1];
  return {
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    listening: async () => {
      await waitUntil('the service listens', () => {
        if (isOver) throw new Error(`The service ended: ${written.stderr}`);
        return address() !== undefined;
      });
      return address()!;
    },
    stopReading: () => {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    kill: (signal) => child.kill(signal),
    ended,
  };
}

/** A line of the log; the members that some test looks at. */
export interface LogLine {
  readonly pid: number;
  readonly level: string;
  readonly msg: string;
  readonly request_id?: string;
  readonly worker?: number;
  readonly code?: number | null;
  readonly signal?: string | null;
}

export function logOf(service: ServiceProcess): LogLine[] {
  const lines = service.stderr().split('\n').slice(0, -1);
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine);
}

/** Process ids of the workers that serve, the elder first. The service must log at level info. */
export function workersOf(service: ServiceProcess): number[] {
  return logOf(service)
    .filter(({ msg, pid }) => msg.startsWith('Server listening') && isAlive(pid))
    .map(({ pid }) => pid);
}

/** Process id and port of the PostgreSQL that runs in a DATA_DIR; nothing when there is none. */
export async function postgresIn(dataDir: string): Promise<{ pid: number; port: number } | undefined> {
  const lines = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n'),
    () => [],
  );
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 && port > 0 && isAlive(pid) ? { pid, port } : undefined;
}

/** A process that has ended but that nobody has waited for is not alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    // Where there is no /proc the signal has answered.
    return (error as { path?: string }).path !== undefined && process.platform !== 'linux';
  }
}

/** postgres:// address of the PostgreSQL that runs in a DATA_DIR. */
export async function urlIn(dataDir: string): Promise<string> {
  const password = await readFile(join(dataDir, 'database-password'), 'utf8');
  const { port } = (await postgresIn(dataDir))!;
  return `postgres://data_import:${password}@127.0.0.1:${port}/data_import`;
}

/** A connection to the PostgreSQL of a DATA_DIR, until it is ended or that is stopped. */
export async function connectTo(dataDir: string): Promise<pg.Client> {
  const client = new pg.Client(await urlIn(dataDir));
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Run SQL in the PostgreSQL of a DATA_DIR, as the service would. */
export async function sqlIn<Row extends pg.QueryResultRow>(
  dataDir: string,
  text: string,
  parameters: unknown[] = [],
): Promise<Row[]> {
  const client = await connectTo(dataDir);
  try {
    return (await client.query<Row>(text, parameters)).rows;
  } finally {
    await client.end();
  }
}
