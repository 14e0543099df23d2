import { execFile, execFileSync } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Runs PostgreSQL's programs, which refuse to run as root, as a user that they accept. */
export interface RunAs {
  /** Make the user the owner of files that were created for it. */
  readonly own: (...paths: string[]) => Promise<void>;
  /** @throws Error with the program's `stderr` when it fails */
  readonly run: (program: string, args: readonly string[], options?: RunOptions) => Promise<void>;
}

export interface RunOptions {
  readonly cwd?: string;
  /** What the program reads from its standard input. */
  readonly input?: string;
}

const exec = promisify(execFile);

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

/** The user `nobody` of every Linux, for containers that forbid namespaces. It must be able to reach the folder. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const AS_NOBODY: RunAs = {
  own: async (...paths) => {
    for (const path of paths) await chown(path, NOBODY.uid, NOBODY.gid);
  },
  run: (program, args, options) => runProgram(program, args, options, NOBODY),
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

async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, input }: RunOptions = {},
  user?: { uid: number; gid: number },
): Promise<void> {
  const running = exec(program, [...args], {
    cwd,
    ...user,
    env: { ...withoutPostgresVariables(process.env), LC_ALL: 'C' },
  });
  running.child.stdin?.end(input);
  await running;
}

/** The variables PG… may be set for another server. */
function withoutPostgresVariables(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('PG')));
}
