import { pathToFileURL } from 'node:url';
import { documentFolder } from '../infrastructure/config/data-folder.js';
import type { Environment } from '../infrastructure/config/settings.js';

/** The address of the document store: the configured one, or a folder in DATA_DIR (choice F4). */
export function documentStoreAddress({
  DOCUMENT_STORE,
  DATA_DIR,
}: Pick<Environment, 'DOCUMENT_STORE' | 'DATA_DIR'>): string {
  return DOCUMENT_STORE ?? pathToFileURL(documentFolder(DATA_DIR)).href;
}

/**
 * The first part of every document's location: the bucket of an object store, or the folder of a file store.
 *
 * @param documentStore `s3://bucket?…` or `file:///folder`
 * Source: choices F1, F4.
 */
export function documentBucket(documentStore: string): string {
  const url = new URL(documentStore);
  return url.protocol === 's3:' ? url.hostname : decodeURIComponent(url.pathname).replace(/\/+$/, '');
}

/** Injection token for the {@link documentBucket} of the configured store. */
export const DOCUMENT_BUCKET = Symbol('DOCUMENT_BUCKET');
