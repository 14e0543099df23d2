import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Give a file or folder its final name, so that it has that name after a power failure too. Its content is on disk. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await flushFolder(dirname(to));
}

/** Write the names in a folder to the disk. Windows cannot open folders. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
