/**
 * Where the documents of the service's store are, as the front part of every location: the bucket of an object store,
 * or the folder of a file store.
 *
 * @param documentStore `s3://bucket?…` or `file:///folder`
 * Source: contract F1, F4.
 */
export function documentBucket(documentStore: string): string {
  const url = new URL(documentStore);
  return url.protocol === 's3:' ? url.hostname : decodeURIComponent(url.pathname).replace(/\/+$/, '');
}

/** Injection token of {@link documentBucket}'s answer for the configured store. */
export const DOCUMENT_BUCKET = Symbol('DOCUMENT_BUCKET');
