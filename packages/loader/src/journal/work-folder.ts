import { chmod, lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, isDiskFull, isDraft, removeFiles, whyOf, WrongUsage } from '@data-import/files';
import type { Stop } from '../common/stop.js';
import { lockFolder, type Lock } from './lock.js';

/** The folder below a folder of files in which the loader keeps its state. */
export type WorkFolder = Readonly<
  Record<'path' | 'journal' | 'rehearsal' | 'temporary' | 'verify' | 'unpacked', string>
>;

/** @throws WrongUsage if it is a link: the creator of the folder could then make the loader write anywhere */
export async function workFolderOf(folder: string): Promise<WorkFolder> {
  const path = join(folder, '.data-import-loader');
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink()) {
    throw new WrongUsage(`${path} is a symbolic link; the loader uses a folder only. Remove the link.`);
  }
  return {
    path,
    journal: join(path, 'journal'),
    /** The journal of the last dry run. */
    rehearsal: join(path, 'dry-run'),
    /** The folder for files that can be recreated. */
    temporary: join(path, 'temporary'),
    /** The folder for comparisons. */
    verify: join(path, 'verify'),
    /** The folder for copies of files that are inside others. */
    unpacked: join(path, 'unpacked'),
  };
}

/**
 * Create the work folder if it does not exist, lock it, and remove the remains of a killed process.
 *
 * @param stop ends the run when another process takes the lock
 * @throws WrongUsage if this is not possible, or if the folder is a link
 */
export async function openWorkFolder(folder: string, stop: Stop): Promise<{ work: WorkFolder; lock: Lock }> {
  const work = await workFolderOf(folder);
  try {
    // With `recursive`, Node.js reports a read-only file system as a folder that does not exist.
    await mkdir(work.path, { mode: 0o700 }).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    await chmod(work.path, 0o700);
  } catch (error) {
    throw noState(work.path, error);
  }
  const lock = await lockFolder(work.path, () => {
    const sentence = `Another data-import-loader has taken over ${folder}, because this one did not respond for half a minute. Wait until that one ends.`;
    stop.because({ is: 'refused', sentence, isUsage: false });
  }).catch((error: unknown) => {
    throw codeOf(error) === undefined ? error : noState(work.path, error);
  });
  for (const path of [work.path, work.temporary, work.verify, work.unpacked])
    await removeFiles(path, isDraft);
  return { work, lock };
}

/** @returns the error for a state of a load that cannot be stored */
function noState(path: string, error: unknown): WrongUsage {
  const help = isDiskFull(error)
    ? 'Free space on its disk.'
    : 'Make its folder writable, or copy the files into a folder of a local disk and load that.';
  return new WrongUsage(`The state of the load cannot be kept in ${path}: ${whyOf(error)}. ${help}`, {
    cause: error,
  });
}
