import { open, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFolder } from '../common/durable-files.js';

/** Files that are waited for at a time: the disk writes several together. */
const FILES_AT_A_TIME = 16;

/**
 * Wait until a folder and everything in it is on the disk, so that a loss of power takes nothing of it away.
 *
 * @param onEach called with every file and folder, before it is waited for
 */
export async function syncTree(folder: string, onEach?: (path: string) => Promise<void>): Promise<void> {
  let files: string[] = [];
  const syncFiles = async (): Promise<void> => {
    await Promise.all(files.map((path) => syncFile(path, onEach)));
    files = [];
  };
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(path, onEach);
    else if (files.push(path) === FILES_AT_A_TIME) await syncFiles();
  }
  await syncFiles();
  await onEach?.(folder);
  await flushFolder(folder);
}

async function syncFile(path: string, onEach?: (path: string) => Promise<void>): Promise<void> {
  await onEach?.(path);
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
