import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { StartError } from '../../config/env.js';
import { programEnvironment } from './run-as.js';
import { systemReason } from '../../config/system-reason.js';

/**
 * The exclusive lock of a DATA_DIR, under which its database may be created, started, replaced and cleaned up.
 *
 * It is a flock(2) lock of the kernel on the file `postgres.lock`, which is never removed. All processes and containers of
 * the machine see it, whatever their namespaces. It belongs to the open file, so programs that inherit `fd` hold it too:
 * it ends when this process has released it, or has ended, and the last of those programs has ended.
 */
export interface FolderLock {
  /** Passed to programs among their `stdio`; undefined on systems other than Linux, where nothing is locked. */
  readonly fd: number | undefined;
  /** Close the file of this process. Programs that inherited it continue to hold the lock. */
  readonly release: () => Promise<void>;
}

/** Exit code of flock(1) when another process holds the lock. */
const HELD_ELSEWHERE = 1;

/**
 * Lock a DATA_DIR, without waiting.
 *
 * Node.js has no call for it, so `flock` of util-linux or BusyBox locks the open file on its behalf. Systems other than
 * Linux have no namespaces that would hide a server, and no such program: there the result locks nothing.
 *
 * @param dataDir it exists
 * @returns undefined while another process holds the lock
 * @throws StartError when the folder cannot be locked at all
 */
export async function acquireFolderLock(dataDir: string): Promise<FolderLock | undefined> {
  if (process.platform !== 'linux') return { fd: undefined, release: () => Promise.resolve() };
  const path = join(dataDir, 'postgres.lock');
  let file: FileHandle | undefined;
  try {
    // Network file systems lock only what is open for writing.
    file = await open(path, 'a', 0o600);
    if ((await isLocked(file)) && (await isAt(path, file))) return lockWith(file);
  } catch (cause) {
    await file?.close();
    throw new StartError(`DATA_DIR ${dataDir} cannot be locked: ${systemReason(cause)}.`, { cause });
  }
  await file.close();
  return undefined;
}

function lockWith(file: FileHandle): FolderLock {
  return { fd: file.fd, release: () => file.close() };
}

async function isLocked(file: FileHandle): Promise<boolean> {
  // BusyBox knows only the short options.
  const flock = spawn('flock', ['-n', '-x', '3'], {
    env: programEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe', file.fd],
  }) as ChildProcessByStdio<null, null, Readable>;
  const [complaint, [exitCode, signal]] = await Promise.all([
    text(flock.stderr),
    once(flock, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ]).catch((cause: unknown) => {
    if ((cause as { code?: string }).code !== 'ENOENT') throw cause;
    throw new Error('the program flock is missing; install it (package util-linux)', { cause });
  });
  if (exitCode === 0) return true;
  if (exitCode === HELD_ELSEWHERE && complaint === '') return false;
  throw new Error(complaint.trim() || `flock ended with ${exitCode ?? signal}`);
}

/** A file that was removed or replaced since it was opened locks nothing that others see. */
async function isAt(path: string, file: FileHandle): Promise<boolean> {
  const [opened, there] = await Promise.all([file.stat(), stat(path).catch(() => undefined)]);
  return opened.ino === there?.ino && opened.dev === there.dev;
}
