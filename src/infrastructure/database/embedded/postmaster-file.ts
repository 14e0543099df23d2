import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseFolder } from '../../config/data-folder.js';

function pathIn(dataDir: string): string {
  return join(databaseFolder(dataDir), 'postmaster.pid');
}

/**
 * What PostgreSQL has written into its lock file `postmaster.pid`: its process id, its port, and whether it takes connections; otherwise it
 * recovers or stops. 0 and false while there is none.
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

/** Where PostgreSQL's own lock file decides whether a server runs: on macOS. */
export function isAlive({ pid }: { readonly pid: number }): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Remove the lock file of a server that has not ended in order, under the lock of DATA_DIR. After a power cut, or in a new
 * container, its process id may belong to another program, and PostgreSQL would not start. A server that somebody has
 * started by hand keeps its file, and so does any on macOS, where nothing is locked.
 */
export async function removeStaleFile(dataDir: string): Promise<void> {
  const { pid } = await readPostmaster(dataDir);
  const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  const isRunning = workingFolder === (await realpath(databaseFolder(dataDir)));
  if (process.platform === 'linux' && !isRunning) await rm(pathIn(dataDir), { force: true });
}
