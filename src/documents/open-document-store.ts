import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { databaseFolder } from '../infrastructure/config/data-folder.js';
import { StartError } from '../infrastructure/config/env.js';
import type { Environment } from '../infrastructure/config/settings.js';
import { documentStoreAddress } from './document-location.js';
import type { DocumentStore } from './document-store.js';
import { FolderDocumentStore } from './folder-document-store.js';
import { S3DocumentStore } from './s3-document-store.js';

/**
 * The store at an address. It is not opened or checked yet, so commands that need no documents also work while the store is down.
 *
 * @param address `s3://bucket?…` or `file:///folder`, already validated with the setting
 */
export function documentStoreAt(address: string): DocumentStore {
  return isBucket(address) ? new S3DocumentStore(address) : new FolderDocumentStore(fileURLToPath(address));
}

/**
 * Check that the documents' folder exists when the service starts. If the folder disappears later, a look-up throws StorageError
 * instead of reporting the documents as missing. The default folder is created together with the embedded database in DATA_DIR, so
 * it is checked only if that database exists.
 *
 * @throws StartError that names the folder
 */
export async function expectDocumentFolder(environment: Environment): Promise<void> {
  const address = documentStoreAddress(environment);
  if (isBucket(address) || !isExpected(environment)) return;
  try {
    await new FolderDocumentStore(fileURLToPath(address)).expectFolder();
  } catch (cause) {
    throw new StartError((cause as Error).message, { cause });
  }
}

function isBucket(address: string): boolean {
  return address.startsWith('s3:');
}

function isExpected({ DOCUMENT_STORE, DATABASE_URL, DATA_DIR }: Environment): boolean {
  if (DOCUMENT_STORE !== undefined) return true;
  return DATABASE_URL === undefined && existsSync(databaseFolder(DATA_DIR));
}
