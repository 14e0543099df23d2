import { setMaxListeners } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import { DOCUMENT_BUCKET } from './document-location.js';
import { DocumentStore } from './document-store.js';

/** Documents that are looked up at the same time. */
const AT_ONCE_MAX = 16;

/** Looks documents up in the store, each of them once, several at a time (choice F3). */
@Injectable()
export class DocumentLookup {
  constructor(
    private readonly store: DocumentStore,
    @Inject(DOCUMENT_BUCKET) private readonly bucket: string,
  ) {}

  /**
   * Which documents do not exist.
   *
   * @param keys document roots and paths, joined with `/`; a repeated key is looked up once
   * @param stop ends the look-up when it fires
   * @returns the keys without a document
   * @throws StorageError as soon as the store does not answer for one of them; the reason of `stop` when it has fired
   */
  async missing(keys: Iterable<string>, stop: AbortSignal): Promise<ReadonlySet<string>> {
    const missing = new Set<string>();
    const remaining = new Set(keys).values();
    const ended = new AbortController();
    setMaxListeners(AT_ONCE_MAX + 1, ended.signal);
    // A store may ignore the signal: a folder on a file system that hangs never answers.
    const aborted = new Promise<never>((_resolve, reject) => {
      ended.signal.addEventListener('abort', () => {
        reject(ended.signal.reason as Error);
      });
    });
    aborted.catch(() => undefined);
    const lookUpRemaining = async (): Promise<void> => {
      for (const key of remaining) {
        ended.signal.throwIfAborted();
        const exists = this.store.exists(key, ended.signal);
        if (!(await Promise.race([exists, aborted]))) missing.add(key);
      }
    };
    const abort = (): void => {
      ended.abort(stop.reason);
    };
    stop.addEventListener('abort', abort);
    if (stop.aborted) abort();
    try {
      await Promise.all(Array.from({ length: AT_ONCE_MAX }, lookUpRemaining));
      return missing;
    } finally {
      // The first failure ends the other look-ups.
      ended.abort();
      stop.removeEventListener('abort', abort);
    }
  }

  /**
   * The key of a stored location (choice F1).
   *
   * @returns nothing when the location is in another store than the configured one, so that it cannot be looked up
   */
  keyOf(location: string): string | undefined {
    const prefix = `${this.bucket}/`;
    return location.startsWith(prefix) ? location.slice(prefix.length) : undefined;
  }
}
