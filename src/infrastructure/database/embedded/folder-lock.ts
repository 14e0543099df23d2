import { spawnSync } from 'node:child_process';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../config/env.js';
import { systemReason } from '../../config/system-reason.js';
import { isAlive, readPostmaster } from './postmaster-file.js';
import { programVariables } from './run-as.js';

/**
 * Lock a DATA_DIR without waiting. Its database is only created, started, used and stopped under this lock.
 *
 * It is a kernel lock, flock(2), on the file `postgres.lock`, which is never removed. All processes and containers of the machine
 * see it, whatever their namespaces. The lock belongs to the open file, so programs that inherit the file hold it too: it ends
 * when this process has closed the file or ended, and the last of those programs has ended. Node.js cannot call flock(2), so the
 * program `flock` of util-linux or BusyBox locks the open file. macOS has no such program, and no namespaces that would hide a
 * server: there, PostgreSQL's own lock file decides.
 *
 * @param dataDir an existing folder
 * @returns the open file, or undefined while another process holds the lock
 * @throws StartError if the folder cannot be locked at all
 */
export async function lockFolder(dataDir: string): Promise<FileHandle | undefined> {
  let file: FileHandle | undefined;
  try {
    // Network file systems lock only files that are open for writing.
    file = await open(lockPath(dataDir), 'a', 0o600);
    const isLinux = process.platform === 'linux';
    if (isLinux ? isLocked(file) : !isAlive(await readPostmaster(dataDir))) return file;
  } catch (cause) {
    await file?.close();
    throw new StartError(`DATA_DIR ${dataDir} cannot be locked: ${systemReason(cause)}.`, { cause });
  }
  await file.close();
  return undefined;
}

/** Path of the lock file. The holder of the lock writes into it whether it is a service or a command. */
export function lockPath(dataDir: string): string {
  return join(dataDir, 'postgres.lock');
}

function isLocked(file: FileHandle): boolean {
  // BusyBox knows only the short options.
  const { status, signal, stderr, error } = spawnSync('flock', ['-n', '-x', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', file.fd],
    encoding: 'utf8',
    env: programVariables(),
  });
  if (status === 0) return true;
  // Another process holds the lock.
  if (status === 1 && stderr === '') return false;
  if (error && 'code' in error && error.code === 'ENOENT') {
    throw new Error('the program flock is missing; install it (package util-linux)', { cause: error });
  }
  throw error ?? new Error(stderr.trim() || `flock ended with ${status ?? signal}`);
}
