import { execFileSync, spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, lchown, stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { NOBODY, PASSAGE_MODE } from '../../config/data-folder.js';

/** Runs PostgreSQL's programs, which refuse to run as root, as a user that they accept. */
export interface RunAs {
  /** Make the user the owner of files that were created for it in DATA_DIR. DATA_DIR itself stays the caller's. */
  readonly own: (dataDir: string, ...paths: string[]) => Promise<void>;
  /** @throws ProgramError when the program fails */
  readonly run: (program: string, args: readonly string[], options?: RunOptions) => Promise<void>;
}

export interface RunOptions {
  readonly cwd?: string;
  /** What the program reads from its standard input. */
  readonly input?: string;
  /** An open file that the program and those that it starts inherit. */
  readonly inherited?: number;
}

/** A program that failed, with what it wrote to standard error. */
export class ProgramError extends Error {
  constructor(
    message: string,
    readonly stderr: string,
  ) {
    super(message);
  }
}

const AS_CURRENT_USER: RunAs = {
  own: () => Promise.resolve(),
  run: (program, args, options) => runProgram(program, args, options),
};

/** An ordinary user inside the namespace is root outside of it, so every file stays reachable. */
const UNSHARE = ['--user', '--map-user=1000', '--map-group=1000', '--'];
const IN_USER_NAMESPACE: RunAs = {
  own: () => Promise.resolve(),
  run: (program, args, options) => runProgram('unshare', [...UNSHARE, program, ...args], options),
};

/** The user `nobody` of every Linux, for containers that forbid namespaces. It must be able to reach DATA_DIR. */
const AS_NOBODY: RunAs = {
  own: async (dataDir, ...paths) => {
    await letPass(dataDir);
    for (const path of paths) await lchown(path, NOBODY, NOBODY);
  },
  run: (program, args, options) => runProgram(program, args, options, { uid: NOBODY, gid: NOBODY }),
};

/**
 * Let `nobody` pass through DATA_DIR to its own files. It can neither list the folder nor replace a file in it, such as the
 * key that signs the tokens. Earlier builds made `nobody` the owner.
 */
async function letPass(dataDir: string): Promise<void> {
  const { uid } = await stat(dataDir);
  await chown(dataDir, uid === NOBODY ? 0 : uid, NOBODY);
  await chmod(dataDir, PASSAGE_MODE);
}

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

async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, input, inherited }: RunOptions = {},
  user?: { uid: number; gid: number },
): Promise<void> {
  const running = spawn(program, args, {
    cwd,
    ...user,
    env: programEnvironment(),
    stdio: ['pipe', 'ignore', 'pipe', ...(inherited === undefined ? [] : [inherited])],
  }) as ChildProcessByStdio<Writable, null, Readable>;
  // A program that ends early does not read its input; its exit code reports the failure.
  running.stdin.on('error', () => undefined).end(input);
  const [stderr, [exitCode, signal]] = await Promise.all([
    text(running.stderr),
    once(running, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  if (exitCode !== 0) throw new ProgramError(`${program} ended with ${exitCode ?? signal}`, stderr);
}

/** The variables of this process for a program of the system: without PG…, which may be set for another server, in English. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('PG'));
  return { ...Object.fromEntries(others), LC_ALL: 'C' };
}
