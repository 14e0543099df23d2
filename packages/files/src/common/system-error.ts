import { stat } from 'node:fs/promises';
import { getSystemErrorMap } from 'node:util';

/** The messages of the operating system, by error code. */
const MEANINGS = new Map(getSystemErrorMap().values());

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

/** The reason for an error, such as `no space left on device (ENOSPC)`. */
export function whyOf(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error ? error.message : 'no reason is given';
  const meaning = MEANINGS.get(code);
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
