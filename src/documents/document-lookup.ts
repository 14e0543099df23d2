import { setMaxListeners } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import { DOCUMENT_BUCKET } from './document-location.js';
import { DocumentStore } from './document-store.js';
import { DocumentLookupCache } from './document-lookup.cache.js';

/** Documents looked up at the same time. */
const AT_ONCE_MAX = 16;

/**
 * Looks up documents in the store, each one once and several at a time. A repeated look-up continues where a failed one stopped
 * (choice F3).
 */
@Injectable()
export class DocumentLookup {
  private readonly seen = new DocumentLookupCache();

  constructor(
    private readonly store: DocumentStore,
    @Inject(DOCUMENT_BUCKET) private readonly bucket: string,
  ) {}

  /**
   * Find the documents that do not exist. Documents found by a look-up that failed, or that reported others as missing, are not
   * looked up again for some minutes.
   *
   * @param root the document root of all paths
   * @param paths below the root; a repeated path is looked up once
   * @param stop ends the look-up when it fires
   * @returns the paths without a document
   * @throws StorageError as soon as the store does not answer for one of them; the reason of `stop` if it has fired
   */
  async missing(root: string, paths: Iterable<string>, stop: AbortSignal): Promise<ReadonlySet<string>> {
    const missing = new Set<string>();
    const wanted = new Set(paths);
    const remaining = wanted.values();
    // The two slashes distinguish the same place below two roots, one inside the other: a link may lead out of only one of them.
    const keyOf = (path: string): string => `${root}//${path}`;
    const lookUp = async (path: string): Promise<boolean> => {
      const exists = await this.store.exists({ root, path }, signal);
      // Cached at once, even if the others take too long and this request fails: the repeated request only looks up the rest.
      if (exists) this.seen.add(keyOf(path));
      return exists;
    };
    const ended = new AbortController();
    const signal = AbortSignal.any([stop, ended.signal]);
    setMaxListeners(AT_ONCE_MAX + 1, signal);
    // A store may ignore the signal: a folder on a file system that hangs never answers.
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
    aborted.catch(() => undefined);
    const lookUpRemaining = async (): Promise<void> => {
      for (const path of remaining) {
        signal.throwIfAborted();
        if (this.seen.has(keyOf(path))) continue;
        if (!(await Promise.race([lookUp(path), aborted]))) missing.add(path);
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE_MAX }, lookUpRemaining));
      // The cache is only for look-ups that did not succeed, so a later request notices a document that has been deleted.
      if (missing.size === 0) for (const path of wanted) this.seen.delete(keyOf(path));
      return missing;
    } finally {
      // The first error ends the other look-ups.
      ended.abort();
    }
  }

  /**
   * The document root in a stored location (choice F1).
   *
   * @param path of the document, with which the location ends
   * @returns undefined if the location is not in the configured store, so that the document cannot be looked up
   */
  rootOf(location: string, path: string): string | undefined {
    const [prefix, suffix] = [`${this.bucket}/`, `/${path}`];
    if (!location.startsWith(prefix) || !location.endsWith(suffix)) return undefined;
    return location.slice(prefix.length, -suffix.length) || undefined;
  }
}
