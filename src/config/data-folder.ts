import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from './env.js';
import type { Environment } from './settings.js';

/** The files of the embedded PostgreSQL. */
export function databaseFolder(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** The documents, unless DOCUMENT_STORE names another location. */
export function documentFolder(dataDir: string): string {
  return join(dataDir, 'documents');
}

/**
 * Create DATA_DIR for the embedded database, with mode 0700, and in it the folder of the documents unless DOCUMENT_STORE
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
    await chmod(DATA_DIR, 0o700);
    if (DOCUMENT_STORE !== undefined || existsSync(databaseFolder(DATA_DIR))) return;
    await mkdir(documentFolder(DATA_DIR), { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new StartError(`DATA_DIR ${DATA_DIR} cannot be used: ${(cause as Error).message}.`, { cause });
  }
}
