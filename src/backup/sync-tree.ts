import { open, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFolder } from '../common/durable-files.js';

/** Files that are waited for at a time: the disk writes several together. */
const FILES_AT_A_TIME = 16;

/**
 * Wait until a folder and everything in it is on the disk, so that a loss of power takes nothing of it away.
 */
export async function syncTree(folder: string): Promise<void> {
  let files: string[] = [];
  const syncFiles = async (): Promise<void> => {
    await Promise.all(files.map(syncFile));
    files = [];
  };
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else if (files.push(path) === FILES_AT_A_TIME) await syncFiles();
  }
  await syncFiles();
  await flushFolder(folder);
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
