import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseFolder } from '../../config/data-folder.js';

/** What PostgreSQL writes into its lock file `postmaster.pid`; 0 and false while there is none. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** Whether it takes connections; otherwise it recovers or stops. */
  readonly isReady: boolean;
}

function pathIn(dataDir: string): string {
  return join(databaseFolder(dataDir), 'postmaster.pid');
}

export async function readPostmaster(dataDir: string): Promise<Postmaster> {
  const lines = (await readFile(pathIn(dataDir), 'utf8').catch(() => '')).split('\n');
  const [pid = 0, port = 0] = [lines[0], lines[3]].map((line) => Number(line) || 0);
  return { pid, port, isReady: /^(ready|standby)/.test(lines[7] ?? '') };
}

export function isAlive({ pid }: Postmaster): boolean {
  if (pid === 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Remove the lock file of a server that has not ended in order, under the lock of DATA_DIR. After a power cut, or in a new
 * container, its process id may belong to another program, and PostgreSQL would not start. A server that somebody has
 * started by hand keeps its file.
 */
export async function removeStaleFile(dataDir: string): Promise<void> {
  const { pid } = await readPostmaster(dataDir);
  const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  if (workingFolder === (await realpath(databaseFolder(dataDir)))) return;
  await rm(pathIn(dataDir), { force: true });
}
