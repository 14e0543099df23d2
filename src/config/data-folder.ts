import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from './env.js';
import type { Environment } from './settings.js';

/** Where the service's own PostgreSQL keeps its files. */
export function databaseFolder(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** Where the documents are, unless DOCUMENT_STORE names another place. */
export function documentFolder(dataDir: string): string {
  return join(dataDir, 'documents');
}

/**
 * Make DATA_DIR for a database of our own, mode 0700, and in it the folder of the documents when that is their place.
 *
 * That folder is made only as long as there is no database beside it. One that is gone later was moved away or is not
 * mounted, and an empty one in its place would make every document a missing one.
 *
 * @throws StartError
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
