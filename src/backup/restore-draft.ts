import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../common/command-error.js';
import { BACKUP_MANIFEST, completeRestore, databaseFolder, restoreDraft } from '../config/data-folder.js';
import { flushFolder, renameDurably } from '../common/durable-files.js';
import { lockFolder } from '../database/embedded/folder-lock.js';

/** What may be in a DATA_DIR that counts as empty: a folder of the file system, and the file of the lock. */
const NO_DATA = new Set(['lost+found', 'postgres.lock']);

/**
 * Do something while no process uses DATA_DIR; create it when there is none.
 *
 * @throws CommandError `data_folder_in_use`
 */
export async function lockedDataFolder<Result>(
  dataDir: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(dataDir);
  if (!lock) {
    throw new CommandError(
      'data_folder_in_use',
      `DATA_DIR ${dataDir} is in use; stop the service and every command that uses it, or restore into another folder.`,
    );
  }
  try {
    await chmod(dataDir, 0o700);
    return await work();
  } finally {
    await lock.close();
  }
}

/**
 * Begin a restore; what an interrupted one has written is removed.
 *
 * @returns the folder for everything that is restored
 * @throws CommandError `data_folder_not_empty`
 */
export async function beginDraft(dataDir: string): Promise<string> {
  const draft = restoreDraft(dataDir);
  const names = await readdir(dataDir);
  const isOurs = (name: string): boolean => [draft, completeRestore(dataDir)].includes(join(dataDir, name));
  if (names.some((name) => !NO_DATA.has(name) && !isOurs(name))) {
    throw new CommandError(
      'data_folder_not_empty',
      `DATA_DIR ${dataDir} is not empty; restore into a new folder, or move what is in this one elsewhere.`,
    );
  }
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  return draft;
}

/** From now on the restore is not begun again, but continued. Everything in the draft is on the disk. */
export async function completeDraft(dataDir: string): Promise<void> {
  await renameDurably(restoreDraft(dataDir), completeRestore(dataDir));
}

/**
 * Rename everything of a complete restore into DATA_DIR but the manifest, the database last, because it is what makes a DATA_DIR
 * one. Whatever interrupts it, the next call continues.
 */
export async function putInPlace(dataDir: string): Promise<void> {
  const from = completeRestore(dataDir);
  const cluster = databaseFolder(from);
  const others = (await readdir(from)).filter(
    (name) => name !== BACKUP_MANIFEST && join(from, name) !== cluster,
  );
  for (const name of others) await rename(join(from, name), join(dataDir, name));
  await flushFolder(dataDir);
  if (existsSync(cluster)) await rename(cluster, databaseFolder(dataDir));
  await flushFolder(dataDir);
}

/** From now on the DATA_DIR may be used. */
export async function endRestore(dataDir: string): Promise<void> {
  await rm(completeRestore(dataDir), { recursive: true });
  await flushFolder(dataDir);
}
