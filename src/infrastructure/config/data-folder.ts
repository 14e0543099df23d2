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
