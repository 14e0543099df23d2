import { chmod, lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { WrongUsage } from '../common/errors.js';
import { isDraft, removeFiles } from '../common/files.js';
import type { Stop } from '../common/stop.js';
import { lockFolder, type Lock } from './lock.js';

/** Where the loader keeps what it knows about a folder, below that folder. */
export interface WorkFolder {
  readonly path: string;
  readonly journal: string;
  /** Of the last dry run. */
  readonly rehearsal: string;
  /** For what is made anew when it is lost. */
  readonly temporary: string;
  /** For comparisons. */
  readonly verify: string;
  /** For copies of files that lie within others. */
  readonly unpacked: string;
}

/** @throws WrongUsage when it is a link: with one, whoever made the folder could have the loader write anywhere */
export async function workFolderOf(folder: string): Promise<WorkFolder> {
  const path = join(folder, '.data-import-loader');
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink()) {
    throw new WrongUsage(`${path} is a symbolic link; the loader uses a folder only. Remove the link.`);
  }
  return {
    path,
    journal: join(path, 'journal'),
    rehearsal: join(path, 'dry-run'),
    temporary: join(path, 'temporary'),
    verify: join(path, 'verify'),
    unpacked: join(path, 'unpacked'),
  };
}

/**
 * Make the work folder where it is not there, lock it and remove what a killed process has left in it.
 *
 * @param stop what ends the run when another process takes the lock
 * @throws WrongUsage when that is not possible, or it is a link
 */
export async function openWorkFolder(folder: string, stop: Stop): Promise<{ work: WorkFolder; lock: Lock }> {
  const work = await workFolderOf(folder);
  try {
    await mkdir(work.path, { recursive: true, mode: 0o700 });
    await chmod(work.path, 0o700);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new WrongUsage(`The journal cannot be written in ${work.path}: ${code ?? 'no reason given'}.`);
  }
  const lock = await lockFolder(work.path, () => {
    const sentence = 'Another data-import-loader has taken over the folder.';
    stop.because({ is: 'refused', sentence, isUsage: false });
  });
  for (const path of [work.path, work.temporary, work.verify, work.unpacked])
    await removeFiles(path, isDraft);
  return { work, lock };
}
