import { stat } from 'node:fs/promises';

/** A sentence for each system error code that a user can do something about. */
const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EBUSY: 'it is in use',
  EDQUOT: 'the quota of the disk is used up',
  EEXIST: 'it is there already',
  EFBIG: 'it is as large as a file may be',
  EIO: 'the disk has failed',
  EISDIR: 'it is a folder',
  ELOOP: 'it is a link to itself',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ENFILE: 'too many files are open',
  ENODEV: 'its device is not there',
  ENOENT: 'it does not exist',
  ENOSPC: 'the disk is full',
  ENOSYS: 'its file system does not allow that',
  ENOTDIR: 'a part of its path is no folder',
  ENOTSUP: 'its file system does not allow that',
  EOPNOTSUPP: 'its file system does not allow that',
  EPERM: 'permission is denied',
  EROFS: 'its file system can only be read',
  ESTALE: 'its file system was replaced on the server',
  ETIMEDOUT: 'its file system does not answer',
};

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

/** The reason for an error, such as `the disk is full (ENOSPC)`. */
export function whyOf(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error ? error.message : 'no reason is given';
  const meaning = MEANINGS[code];
  return meaning === undefined ? code : `${meaning} (${code})`;
}

/** Whether there is no room left on a disk. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');
}

/**
 * Name the thing at a path that is not a file, such as a pipe. Reading it might never end.
 *
 * @returns undefined for a file, and if nothing exists at the path
 */
export async function oddityOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found || found.isFile()) return undefined;
  if (found.isDirectory()) return 'a link to a folder';
  if (found.isFIFO()) return 'a named pipe, not a file';
  return found.isSocket() ? 'a socket, not a file' : 'a device, not a file';
}
