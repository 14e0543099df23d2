import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { TestDatabase } from './database.js';
import { onlyWith } from './service-process.js';
import { TOKEN_SIGNING_KEY } from './service.js';

/** How an operator command ended. */
export interface CommandEnd {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs as a process of its own. */
export interface RunningCommand {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly ended: Promise<CommandEnd>;
}

/** The two ways to start a command: as `npx data-import` does, and through npm. */
const DIRECTLY = [process.execPath, 'scripts/cli.mjs'];
export const THROUGH_NPM = ['npm', 'run', 'cli', '--'];

/** Start `data-import …` against a test's database, as an operator would. */
export function startCommand(
  database: TestDatabase,
  args: string[],
  environment: Record<string, string> = {},
  [program = '', ...before] = DIRECTLY,
): RunningCommand {
  const child = spawn(program, [...before, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: onlyWith({
      DATABASE_URL: database.url,
      TOKEN_SIGNING_KEY,
      OPERATOR: 'test operator',
      INIT_CWD: tmpdir(),
      ...environment,
    }),
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

/** All that is written to a stream; nothing when the test stops reading, as `head` does, by destroying it. */
async function allOf(stream: Readable): Promise<string> {
  return text(stream).catch((error: unknown) => {
    if (stream.readableAborted) return '';
    throw error;
  });
}

/** Run a command to its end. @param input what it reads from standard input */
export async function runCommand(
  database: TestDatabase,
  args: string[],
  input = '',
  environment: Record<string, string> = {},
  way = DIRECTLY,
): Promise<CommandEnd> {
  const { process: child, ended } = startCommand(database, args, environment, way);
  child.stdin.end(input);
  return ended;
}

/** Run a command with `--json` and read the one document it prints. */
export async function runJson(
  database: TestDatabase,
  args: string[],
  input = '',
  environment: Record<string, string> = {},
): Promise<{ exitCode: number | null; json: unknown; stderr: string }> {
  const { exitCode, stdout, stderr } = await runCommand(database, [...args, '--json'], input, environment);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  return { exitCode, json: JSON.parse(stdout) as unknown, stderr };
}
