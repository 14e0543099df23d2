import { fileURLToPath } from 'node:url';
import type { DocumentStore } from './document-store.js';
import { FolderDocumentStore } from './folder-document-store.js';
import { S3DocumentStore } from './s3-document-store.js';

/**
 * Open the store that an address names.
 *
 * @param address `s3://bucket?…` or `file:///folder`, as the setting was checked
 * @throws StartError when there is nothing to be opened at it
 */
export function openDocumentStore(address: string): Promise<DocumentStore> {
  return address.startsWith('s3:')
    ? S3DocumentStore.open(address)
    : FolderDocumentStore.open(fileURLToPath(address));
}
