import { randomUUID } from 'node:crypto';
import { link, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface NewFile {
  readonly mode?: number;
  /** Leave an existing file unchanged; otherwise it is replaced. */
  readonly keepsExisting?: boolean;
}

/** Write a file atomically: it exists completely or not at all, even after a power failure. */
export async function writeFileDurably(
  path: string,
  text: string,
  { mode = 0o666, keepsExisting = false }: NewFile = {},
): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, text, { flag: 'wx', mode, flush: true });
    // A link, unlike a rename, never replaces a file.
    await (keepsExisting ? link(draft, path) : rename(draft, path));
  } catch (error) {
    if (!keepsExisting || (error as { code?: string }).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await flush(dirname(path));
}

/** Give a file or folder its final name, so that it has that name even after a power failure. Its content must already be on disk. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await flush(dirname(to));
}

/** Flush a file, or the names in a folder, to the disk. */
export async function flush(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
