import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { NOBODY, PASSAGE_MODE } from '../../config/data-folder.js';

/** Runs PostgreSQL's programs, which refuse to run as root, as a user that they accept. */
export interface RunAs {
  readonly spawn: (program: string, args: readonly string[], options: SpawnOptions) => ChildProcess;
  /** Make the user the owner of a folder of DATA_DIR and of all that is in it. DATA_DIR itself stays the caller's. */
  readonly own: (dataDir: string, folder: string) => Promise<void>;
}

const AS_CURRENT_USER: RunAs = {
  spawn: spawnProgram,
  own: () => Promise.resolve(),
};

/** An ordinary user inside the namespace is root outside of it, so every file stays reachable. */
const UNSHARE = ['--user', '--map-user=1000', '--map-group=1000', '--'];
const IN_USER_NAMESPACE: RunAs = {
  spawn: (program, args, options) => spawnProgram('unshare', [...UNSHARE, program, ...args], options),
  own: (_dataDir, folder) => changeOwner(folder, 0),
};

/** The user `nobody` of every Linux, for containers that forbid namespaces. It must be able to reach DATA_DIR. */
const AS_NOBODY: RunAs = {
  spawn: (program, args, options) => spawnProgram(program, args, { ...options, uid: NOBODY, gid: NOBODY }),
  own: async (dataDir, folder) => {
    await letPass(dataDir);
    await changeOwner(folder, NOBODY);
  },
};

/** Root gets a user namespace where the system allows one, else the user `nobody`; everybody else stays as they are. */
export function chooseUser(): RunAs {
  if (process.getuid?.() !== 0) return AS_CURRENT_USER;
  try {
    execFileSync('unshare', [...UNSHARE, 'true'], { stdio: 'ignore' });
    return IN_USER_NAMESPACE;
  } catch {
    return AS_NOBODY;
  }
}

/**
 * Let `nobody` pass through DATA_DIR to its own files. It can neither list the folder nor replace a file in it, such as the
 * key that signs the tokens.
 */
async function letPass(dataDir: string): Promise<void> {
  const { uid } = await stat(dataDir);
  await chown(dataDir, uid, NOBODY);
  await chmod(dataDir, PASSAGE_MODE);
}

/** PostgreSQL refuses files of another user, as they are after a copy, or when namespaces have become possible. */
async function changeOwner(folder: string, id: number): Promise<void> {
  if ((await stat(folder)).uid !== id) {
    await runProgram(spawnProgram('chown', ['-R', '-h', `${id}:${id}`, folder], {}));
  }
}

/**
 * Wait for the end of a program.
 *
 * @param input what it reads from its standard input
 * @throws Error with the last line that it wrote to its standard error, when it fails
 */
export async function runProgram(program: ChildProcess, input = ''): Promise<void> {
  // A program that ends early does not read its input; its exit code reports the failure.
  program.stdin?.on('error', () => undefined).end(input);
  const [written, [exitCode, signal]] = await Promise.all([
    program.stderr ? text(program.stderr) : '',
    once(program, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  if (exitCode === 0) return;
  throw new Error(lastLine(written) || `${program.spawnfile} ended with ${exitCode ?? signal}`);
}

/** The last line of what PostgreSQL wrote, but for initdb's report that it removes its files again. */
export function lastLine(written: string): string {
  const lines = written.trim().split('\n');
  return lines.findLast((line) => !line.startsWith('initdb: removing'))?.trim() ?? '';
}

/** With the variables of this process, in English, but without PG…, which may be set for another server. */
export function spawnProgram(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('PG'));
  return spawn(program, args, {
    stdio: ['pipe', 'ignore', 'pipe'],
    ...options,
    env: { ...Object.fromEntries(others), LC_ALL: 'C' },
  });
}
