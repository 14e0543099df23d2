import { existsSync } from 'node:fs';
import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from './env.js';
import type { Environment } from './settings.js';
import { systemReason } from './system-reason.js';

/** User id and group id of `nobody`. If this process is root and the system forbids user namespaces, PostgreSQL runs as this user. */
export const NOBODY_ID = 65_534;
/** Mode of DATA_DIR in that case: PostgreSQL, in the group `nobody`, can pass through to its own files. */
export const PASSAGE_MODE = 0o710;

/** The files of the embedded PostgreSQL. */
export function databaseFolder(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** The folder of the documents, unless DOCUMENT_STORE names another location. */
export function documentFolder(dataDir: string): string {
  return join(dataDir, 'documents');
}

/**
 * Create DATA_DIR for the embedded database, closed to other users. Unless DOCUMENT_STORE names another location, also create the
 * documents' folder in it.
 *
 * The documents' folder is only created while there is no database beside it. If it is missing later, it was moved or is not
 * mounted, and an empty folder in its place would make every document look missing.
 *
 * @throws StartError if the folder cannot be created or its mode cannot be set
 */
export async function makeDataFolder({
  DATA_DIR,
  DOCUMENT_STORE,
}: Pick<Environment, 'DATA_DIR' | 'DOCUMENT_STORE'>): Promise<void> {
  try {
    await mkdir(DATA_DIR, { recursive: true, mode: 0o700 });
    // Closing the folder even for a moment could break a start of PostgreSQL by another process.
    if (!(await isPassage(DATA_DIR))) await chmod(DATA_DIR, 0o700);
    if (DOCUMENT_STORE !== undefined || existsSync(databaseFolder(DATA_DIR))) return;
    await mkdir(documentFolder(DATA_DIR), { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new StartError(`DATA_DIR ${DATA_DIR} cannot be used: ${systemReason(cause)}.`, { cause });
  }
}

async function isPassage(path: string): Promise<boolean> {
  const { mode, gid } = await stat(path);
  return (mode & 0o777) === PASSAGE_MODE && gid === NOBODY_ID;
}
