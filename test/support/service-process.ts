import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { ServiceTimes } from '../../src/apps/http/start/run-service.js';
import { NO_SETTINGS } from '../../src/infrastructure/config/env.js';
import { waitUntil } from './wait-until.js';
import { inBlock } from './set-up.js';

/** The service as a separate process, as an operator starts it. */
export interface ServiceProcess {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Wait until the service listens. @returns the address that it prints */
  readonly listening: () => Promise<string>;
  /** Close the test's end of standard output and standard error. */
  readonly stopReading: () => void;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly pid: number;
  /** Exit code, or the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/**
 * The environment of a process: PATH and the given variables. The tests' own environment and a `.env` file are left out,
 * because they may name a database that is in use.
 */
export function onlyWith(settings: Record<string, string>): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, ...NO_SETTINGS, ...settings };
}

/**
 * @param settings environment variables, see {@link onlyWith}
 * @param times replace the service's own time limits
 * @param wrapper a program, with its arguments, that runs the service's command line
 */
export function spawnService(
  settings: Record<string, string>,
  times?: ServiceTimes,
  wrapper: readonly string[] = [],
): ServiceProcess {
  const program = times === undefined ? 'scripts/start.mjs' : 'test/support/service-with-times.mjs';
  const [command, ...args] = [...wrapper, process.execPath, program];
  const child = spawn(command, args, {
    env: onlyWith({ PORT: '0', LOG_LEVEL: 'warn', ...settings, TEST_TIMES: JSON.stringify(times) }),
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
        if (isOver) throw new Error(`The service ended: ${written.stderr}${written.stdout}`);
        return address() !== undefined;
      });
      return address()!;
    },
    stopReading: () => {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    kill: (signal) => child.kill(signal),
    pid: child.pid!,
    ended,
  };
}

/** The members of a log line that the tests read. */
export interface LogLine {
  readonly pid: number;
  readonly level: string;
  readonly msg: string;
  readonly request_id?: string;
}

export function logOf(service: ServiceProcess): LogLine[] {
  const lines = service.stderr().split('\n').slice(0, -1);
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine);
}

/** Whether the connection is refused. A missing answer proves nothing: the connection may have been made during the stop. */
export async function refusesConnections(url: string): Promise<boolean> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(1_000) });
    return false;
  } catch (error) {
    return ((error as Error).cause as { code?: string } | undefined)?.code === 'ECONNREFUSED';
  }
}

/** Process id and port of the PostgreSQL running in a DATA_DIR; undefined when none is running. */
export async function postgresIn(dataDir: string): Promise<{ pid: number; port: number } | undefined> {
  const lines = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n'),
    () => [],
  );
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 && port > 0 && isAlive(pid) ? { pid, port } : undefined;
}

/** Whether a process is running. A zombie is not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    // Without /proc, the signal has already shown that the process exists.
    return (error as { path?: string }).path !== undefined && process.platform !== 'linux';
  }
}

/** @returns whether the process existed; it may have just ended by itself */
export function signalTo(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}

/** The postgres:// address of the PostgreSQL running in a DATA_DIR. */
export async function urlIn(dataDir: string): Promise<string> {
  const password = await readFile(join(dataDir, 'database-password'), 'utf8');
  const { port } = (await postgresIn(dataDir))!;
  return `postgres://data_import:${password}@127.0.0.1:${port}/data_import`;
}

/** Connect to the PostgreSQL of a DATA_DIR. The connection tolerates the end of the server. */
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
  await using client = inBlock(await connectTo(dataDir));
  return (await client.query<Row>(text, parameters)).rows;
}
