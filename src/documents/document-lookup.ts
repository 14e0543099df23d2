import { setMaxListeners } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import { DOCUMENT_BUCKET } from './document-location.js';
import { DocumentStore } from './document-store.js';
import { DocumentLookupCache } from './document-lookup.cache.js';

/** Documents that are looked up at the same time. */
const AT_ONCE_MAX = 16;

/**
 * Looks documents up in the store, each of them once, several at a time, and continues a look-up that did not succeed (choice
 * F3).
 */
@Injectable()
export class DocumentLookup {
  private readonly seen = new DocumentLookupCache();

  constructor(
    private readonly store: DocumentStore,
    @Inject(DOCUMENT_BUCKET) private readonly bucket: string,
  ) {}

  /**
   * Which documents do not exist. Those that were seen by a look-up that failed, or that found others missing, are not
   * looked up again for some minutes.
   *
   * @param root the document root of all of them
   * @param paths below it; a repeated one is looked up once
   * @param stop ends the look-up when it fires
   * @returns the paths without a document
   * @throws StorageError as soon as the store does not answer for one of them; the reason of `stop` when it has fired
   */
  async missing(root: string, paths: Iterable<string>, stop: AbortSignal): Promise<ReadonlySet<string>> {
    const missing = new Set<string>();
    const wanted = new Set(paths);
    const remaining = wanted.values();
    // Tells apart the same place below two roots, one of which is in the other: a link may lead out of one of them only.
    const keyOf = (path: string): string => `${root}//${path}`;
    const lookUp = async (path: string): Promise<boolean> => {
      const exists = await this.store.exists({ root, path }, signal);
      // Also when the others take too long and this request fails: its repetition begins with what is left.
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
      // Only a look-up that did not succeed is continued: a later request notices a document that has been deleted.
      if (missing.size === 0) for (const path of wanted) this.seen.delete(keyOf(path));
      return missing;
    } finally {
      // The first failure ends the other look-ups.
      ended.abort();
    }
  }

  /**
   * The document root of a stored location (choice F1).
   *
   * @param path of the document, with which the location ends
   * @returns nothing when the location is in another store than the configured one, so that it cannot be looked up
   */
  rootOf(location: string, path: string): string | undefined {
    const [prefix, suffix] = [`${this.bucket}/`, `/${path}`];
    if (!location.startsWith(prefix) || !location.endsWith(suffix)) return undefined;
    return location.slice(prefix.length, -suffix.length) || undefined;
  }
}
