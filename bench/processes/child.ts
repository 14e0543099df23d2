import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { NO_SETTINGS } from '../../src/infrastructure/config/env.js';

/** A server in its own process. */
export interface RunningServer {
  readonly origin: string;
  readonly pid: number;
  /** Send SIGTERM, and SIGKILL after a timeout. */
  readonly stop: () => Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;

/** Characters of the end of a server's log to include in an error message. */
const LOG_TAIL_MAX = 2_000;

/** The line that every server prints when it accepts requests. */
const LISTENING = /Listening on (http:\/\/[^\s]+?)\.? /;

const running = new Set<ChildProcess>();
// No child outlives this process, however the process ends.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The environment of a child: its settings and what any program needs, but nothing else from this shell or `.env`. */
export function cleanEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG, TZ } = process.env;
  return { PATH, HOME, LANG, TZ, ...NO_SETTINGS, ...settings };
}

/**
 * Start a Node.js program that prints `Listening on http://…` on standard output.
 *
 * @param options.logFile receives its standard error, as a log file does in production
 * @throws Error with the end of the log when it does not start
 */
export async function startServer(options: {
  readonly program: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly logFile: string;
}): Promise<RunningServer> {
  const { program, settings, folder, logFile } = options;
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: cleanEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  for (const end of ['exit', 'error']) child.once(end, () => running.delete(child));
  let logTail = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    logTail = (logTail + text).slice(-LOG_TAIL_MAX);
  });
  child.stderr.pipe(createWriteStream(logFile));
  const stop = (): Promise<void> => stopChild(child);
  try {
    const origin = await listening(child, program, () => logTail);
    return { origin, pid: child.pid ?? NaN, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function listening(child: ChildProcess, program: string, logTail: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (what: string): void => {
      clearTimeout(timer);
      reject(new Error(`${program} ${what}. ${logTail()}`));
    };
    const timer = setTimeout(() => {
      fail('did not start in time');
    }, START_TIMEOUT_MS);
    child.once('error', (error) => {
      fail(`could not be started: ${error.message}`);
    });
    child.once('exit', () => {
      fail('ended before it accepted requests');
    });
    if (!child.stdout) throw new Error('The standard output of a server must be a pipe.');
    createInterface({ input: child.stdout }).on('line', (line) => {
      const origin = LISTENING.exec(`${line} `)?.[1];
      if (origin === undefined) return;
      clearTimeout(timer);
      resolve(origin.replace('[::1]', '127.0.0.1'));
    });
  });
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}

/** Characters of a command's output to include in an error message. */
const PRINTED_MAX = 2_000;

/** The result of a command's process. */
export interface ProcessResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
}

/**
 * Run a Node.js program until it ends.
 *
 * @param timeoutMs after which the program is killed
 * @param expectedCode expected exit code
 * @throws Error with the program's output when it ends with another exit code
 */
export async function runCommand(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  timeoutMs: number,
  expectedCode = 0,
): Promise<ProcessResult> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...args], {
    env: cleanEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  running.add(child);
  const [stdout, stderr, [exitCode]] = await Promise.all([
    child.stdout.setEncoding('utf8').toArray(),
    child.stderr.setEncoding('utf8').toArray(),
    once(child, 'close') as Promise<[number | null]>,
  ]).finally(() => running.delete(child));
  const seconds = (performance.now() - startedAt) / 1_000;
  const result = { stdout: stdout.join(''), stderr: stderr.join(''), seconds };
  if (exitCode === expectedCode) return result;
  const printed = result.stderr + result.stdout.slice(0, PRINTED_MAX);
  throw new Error(`${args.join(' ')} ended with ${exitCode}: ${printed}`);
}
