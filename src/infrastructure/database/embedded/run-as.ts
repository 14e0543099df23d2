import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { NOBODY_ID, PASSAGE_MODE } from '../../config/data-folder.js';

/** The user that runs PostgreSQL's programs, which refuse to run as root. */
export interface ProgramUser {
  /** The wrapper command: words before a program and its arguments. */
  readonly wrapper: readonly string[];
  readonly id?: number;
  /** User id that must own the database files; if absent, the current user. */
  readonly owner?: number;
}

/** The user is an ordinary one inside the namespace and root outside of it, so every file stays accessible. */
const UNSHARE = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'] as const;

/** Root gets a user namespace if the system allows one, otherwise the user `nobody`. Other users stay as they are. */
export function chooseUser(): ProgramUser {
  if (process.getuid?.() !== 0) return { wrapper: [] };
  try {
    const [program, ...words] = UNSHARE;
    execFileSync(program, [...words, 'true'], { stdio: 'ignore' });
    return { wrapper: UNSHARE, owner: 0 };
  } catch {
    return { wrapper: [], id: NOBODY_ID, owner: NOBODY_ID };
  }
}

/**
 * Make the user the owner of the database files. PostgreSQL rejects files of another owner, which occur after a copy, or when
 * namespaces have become possible. `nobody` may pass through DATA_DIR to its own files, but it can neither list the folder nor
 * replace a file in it, such as the key that signs the tokens.
 */
export async function takeOwnership({ owner }: ProgramUser, dataDir: string, folder: string): Promise<void> {
  if (owner === undefined) return;
  if (owner === NOBODY_ID) {
    await chown(dataDir, (await stat(dataDir)).uid, NOBODY_ID);
    await chmod(dataDir, PASSAGE_MODE);
  }
  if ((await stat(folder)).uid !== owner) execFileSync('chown', ['-Rh', `${owner}:${owner}`, folder]);
}

/** The variables of this process with English messages, but without PG…, which may be set for another server. */
export function programVariables(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('PG'));
  return { ...Object.fromEntries(others), LC_ALL: 'C' };
}

/** Start a program as this user, with {@link programVariables}. */
export function spawnAs(
  { wrapper, id }: ProgramUser,
  words: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const [program = '', ...args] = [...wrapper, ...words];
  const user = id === undefined ? {} : { uid: id, gid: id };
  return spawn(program, args, { ...options, ...user, env: programVariables() });
}

/**
 * Wait for the end of a program.
 *
 * @param input text for its standard input
 * @returns its exit code, or the signal that ended it, and its standard error
 */
export async function endOf(
  program: ChildProcess,
  input = '',
): Promise<{ end: number | NodeJS.Signals; written: string }> {
  // A program that ends early does not read its input; its exit code reports the failure.
  program.stdin?.on('error', () => undefined).end(input);
  const [written, [code, signal]] = await Promise.all([
    program.stderr ? text(program.stderr) : '',
    once(program, 'close') as Promise<[number | null, NodeJS.Signals]>,
  ]);
  return { end: code ?? signal, written };
}
