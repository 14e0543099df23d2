import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { tmpdir } from 'node:os';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { CommandHost } from '../../src/apps/cli/command-host.js';
import { run } from '../../src/apps/cli/run.js';
import type { TestDatabase } from './database.js';
import { env } from './outside.js';
import { onlyWith } from './service-process.js';
import { TOKEN_SIGNING_KEY } from './service.js';

const originalFolder = tmpdir();

/**
 * Set the folder for temporary files of commands that run in this process. Everything else in the process uses it too, so
 * call this again without a folder after each test.
 */
export function useTemporaryFolder(folder = originalFolder): void {
  env.TMPDIR = folder;
}

/** How an operator command ended. */
export interface CommandEnd {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs in the test's process. */
export interface RunningCommand {
  readonly stdin: PassThrough;
  /** Send the command a signal. */
  readonly signal: (signal: NodeJS.Signals) => void;
  /** The exit codes of its calls of `process.exit`, which do not end this process. */
  readonly exits: readonly number[];
  readonly ended: Promise<CommandEnd>;
}

/** A command that runs in its own process. */
export interface CommandProcess {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly ended: Promise<CommandEnd>;
}

/** The two ways to start a command: as `npx data-import` does, and through npm. */
const DIRECTLY = [process.execPath, 'scripts/cli.mjs'];
export const THROUGH_NPM = ['npm', 'run', 'cli', '--'];

/** The settings of a command that uses a test's database. */
function settingsFor(database: Pick<TestDatabase, 'url'>): Record<string, string> {
  return { DATABASE_URL: database.url, TOKEN_SIGNING_KEY, OPERATOR: 'test operator' };
}

/**
 * Start `data-import …` in this process, with the entry point of a real process.
 *
 * @param settings environment variables in addition to those that every test needs
 * @param host parts of the process that a test observes or replaces
 */
export function startCommand(
  database: Pick<TestDatabase, 'url'>,
  args: readonly string[],
  settings: Record<string, string> = {},
  host: Partial<CommandHost> = {},
): RunningCommand {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const signals = new EventEmitter();
  const exits: number[] = [];
  const running = run(args, {
    stdin,
    stdout,
    stderr,
    cwd: tmpdir(),
    variables: () => ({ ...settingsFor(database), ...settings }),
    signals,
    exit: (exitCode) => exits.push(exitCode),
    ...host,
  }).finally(() => {
    stdout.end();
    stderr.end();
  });
  return {
    stdin,
    signal: (signal) => signals.emit(signal),
    exits,
    ended: Promise.all([running, text(stdout), text(stderr)]).then(([exitCode, out, err]) => ({
      exitCode,
      stdout: out,
      stderr: err,
    })),
  };
}

/** Run a command in this process until it ends. @param input its standard input */
export async function runCommand(
  database: Pick<TestDatabase, 'url'>,
  args: readonly string[],
  input = '',
  settings: Record<string, string> = {},
  host: Partial<CommandHost> = {},
): Promise<CommandEnd> {
  const { stdin, ended } = startCommand(database, args, settings, host);
  stdin.end(input);
  return ended;
}

/** Run a command with `--json` in this process and parse the single document that it prints. */
export async function runJson(
  database: Pick<TestDatabase, 'url'>,
  args: readonly string[],
  input = '',
  settings: Record<string, string> = {},
): Promise<{ exitCode: number | null; json: unknown; stderr: string }> {
  const { stdout, ...end } = await runCommand(database, [...args, '--json'], input, settings);
  return { ...end, json: documentIn(stdout) };
}

/** Parse the single document that a command printed with `--json`. */
export function documentIn(stdout: string): unknown {
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  return JSON.parse(stdout);
}

/** Start `data-import …` as a separate process, as an operator would. */
export function startProcess(
  database: Pick<TestDatabase, 'url'>,
  args: readonly string[],
  settings: Record<string, string> = {},
  [program = '', ...before] = DIRECTLY,
): CommandProcess {
  const child = spawn(program, [...before, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: onlyWith({ ...settingsFor(database), INIT_CWD: tmpdir(), ...settings }),
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const ended = Promise.all([exited, allOf(child.stdout), allOf(child.stderr)]).then(
    ([exitCode, stdout, stderr]) => ({ exitCode, stdout, stderr }),
  );
  return { process: child, ended };
}

/** Run a process until it ends. @param input its standard input */
export async function runProcess(
  database: Pick<TestDatabase, 'url'>,
  args: readonly string[],
  input = '',
  settings: Record<string, string> = {},
  way = DIRECTLY,
): Promise<CommandEnd> {
  const { process: child, ended } = startProcess(database, args, settings, way);
  child.stdin.end(input);
  return ended;
}

/** Everything written to a stream; empty when the test stops reading by destroying the stream, as `head` does. */
async function allOf(stream: Readable): Promise<string> {
  return text(stream).catch((error: unknown) => {
    if (stream.readableAborted) return '';
    throw error;
  });
}

/** The cells of a table without a header row. */
export function cellsOf(text: string): string[][] {
  const rows = text.trimEnd().split('\n');
  return rows.map((row) => row.split(/ {2,}/));
}

/** All commands that the program's help lists, for example `supplier show`. */
export async function commandNames(): Promise<string[]> {
  const names = await Promise.all(
    (await listed()).map(async (group) => (await listed(group)).map((name) => `${group} ${name}`)),
  );
  return names.flat();
}

/** The commands in the help of the program or of a group. */
async function listed(...group: string[]): Promise<string[]> {
  const { stdout } = await runCommand({ url: '' }, ['help', ...group]);
  const lines = stdout.slice(stdout.indexOf('\nCommands:\n')).matchAll(/^ {2}([a-z-]+)(?= )/gm);
  return [...lines].map(([, name = '']) => name).filter((name) => !['help', 'data-import'].includes(name));
}

/** The expected end of a command that fails with a command error. @param detail a matcher for its sentence */
export function refusedWith(code: string, detail?: unknown): { exitCode: number; json: object } {
  const error = { code, ...(detail !== undefined && { detail }) };
  return { exitCode: code === 'wrong_usage' ? 2 : 1, json: { error } };
}

/** An entry as `audit list` prints it. */
export interface Entry {
  readonly at: string;
  readonly operator: string;
  readonly action: string;
  readonly subject: string;
  readonly import_supplier?: string;
  readonly details: Record<string, unknown>;
}
