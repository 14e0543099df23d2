import { existsSync } from 'node:fs';
import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from './env.js';
import type { Environment } from './settings.js';
import { systemReason } from './system-reason.js';

/** User id and group id of `nobody`. As root, PostgreSQL runs as this user where the system forbids user namespaces. */
export const NOBODY = 65_534;
/** Mode of DATA_DIR in that case: PostgreSQL, in the group `nobody`, passes through to its own files. */
export const PASSAGE_MODE = 0o710;

/** The files of the embedded PostgreSQL. */
export function databaseFolder(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** The documents, unless DOCUMENT_STORE names another location. */
export function documentFolder(dataDir: string): string {
  return join(dataDir, 'documents');
}

/** What `database restore` writes, until it is complete. */
export function restoreDraft(dataDir: string): string {
  return join(dataDir, 'restore.partial');
}

/**
 * A complete restore, of which everything is about to get its place in DATA_DIR. The manifest of the backup stays until what must
 * not live on has been ended in the restored database; nothing else opens the database before.
 */
export function completeRestore(dataDir: string): string {
  return join(dataDir, 'restore.complete');
}

/** Whether a restore was interrupted when all its files were written. */
export function isRestoreComplete(dataDir: string): boolean {
  return existsSync(join(completeRestore(dataDir), BACKUP_MANIFEST));
}

/** Whether the files of a complete restore are in their place, so that its database may be running. */
export function isRestoreInPlace(dataDir: string): boolean {
  return isRestoreComplete(dataDir) && !existsSync(databaseFolder(completeRestore(dataDir)));
}

/** Name of the manifest of a backup, in the backup and in a restore. */
export const BACKUP_MANIFEST = 'manifest.json';

/**
 * Check that no restore of DATA_DIR is running or was interrupted: a database that is created beside it would be in its way.
 *
 * @throws StartError when there is one
 */
export function expectNoRestore(dataDir: string): void {
  if (!existsSync(restoreDraft(dataDir)) && !isRestoreComplete(dataDir)) return;
  throw new StartError(
    `DATA_DIR ${dataDir} is being restored, or was when the restore was interrupted: wait for its end, or run "data-import database restore" again.`,
  );
}

/**
 * Create DATA_DIR for the embedded database, closed to other users, and in it the folder of the documents unless DOCUMENT_STORE
 * names another location.
 *
 * The folder of the documents is created only while there is no database beside it. When it is absent later, it was moved
 * or is not mounted, and with an empty one in its place every document would be reported as missing.
 *
 * @throws StartError when the folder cannot be created or its mode not be set
 */
export async function makeDataFolder({
  DATA_DIR,
  DOCUMENT_STORE,
}: Pick<Environment, 'DATA_DIR' | 'DOCUMENT_STORE'>): Promise<void> {
  try {
    await mkdir(DATA_DIR, { recursive: true, mode: 0o700 });
    // Closed also for a moment, the folder would be out of reach for a start of PostgreSQL by another process.
    if (!(await isPassage(DATA_DIR))) await chmod(DATA_DIR, 0o700);
    if (DOCUMENT_STORE !== undefined || existsSync(databaseFolder(DATA_DIR))) return;
    await mkdir(documentFolder(DATA_DIR), { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new StartError(`DATA_DIR ${DATA_DIR} cannot be used: ${systemReason(cause)}.`, { cause });
  }
}

async function isPassage(path: string): Promise<boolean> {
  const { mode, gid } = await stat(path);
  return (mode & 0o777) === PASSAGE_MODE && gid === NOBODY;
}
