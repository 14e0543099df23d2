import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseFolder } from '../../config/data-folder.js';

function pathIn(dataDir: string): string {
  return join(databaseFolder(dataDir), 'postmaster.pid');
}

/**
 * The process id, port and state in PostgreSQL's lock file `postmaster.pid`. If `isReady` is false, the server is recovering or
 * stopping. Without the file, the values are 0 and false.
 */
export async function readPostmaster(
  dataDir: string,
): Promise<{ pid: number; port: number; isReady: boolean }> {
  const lines = (await readFile(pathIn(dataDir), 'utf8').catch(() => '')).split('\n');
  return {
    pid: Number(lines[0] ?? 0),
    port: Number(lines[3] ?? 0),
    isReady: /^(ready|standby)/.test(lines[7] ?? ''),
  };
}

/** For macOS, where PostgreSQL's own lock file decides whether a server is running. */
export function isAlive({ pid }: { readonly pid: number }): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Remove the lock file of a server that did not shut down properly. The caller holds the lock of DATA_DIR. After a power cut, or
 * in a new container, the process id in the file may belong to another program, and PostgreSQL would not start. The file stays if
 * the server is running because somebody started it by hand, and always on macOS, where nothing is locked.
 */
export async function removeStaleFile(dataDir: string): Promise<void> {
  const { pid } = await readPostmaster(dataDir);
  const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  const isRunning = workingFolder === (await realpath(databaseFolder(dataDir)));
  if (process.platform === 'linux' && !isRunning) await rm(pathIn(dataDir), { force: true });
}
