import { setMaxListeners } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import { DOCUMENT_BUCKET } from './document-location.js';
import { DocumentStore } from './document-store.js';

/** Documents that are looked up at the same time. */
const AT_ONCE_MAX = 16;

/** Looks documents up in the store, each of them once, several at a time (contract F3). */
@Injectable()
export class DocumentLookup {
  constructor(
    private readonly store: DocumentStore,
    @Inject(DOCUMENT_BUCKET) private readonly bucket: string,
  ) {}

  /**
   * Which documents are not there.
   *
   * @param keys document roots and paths, joined with `/`; one that stands twice is looked up once
   * @param stop when it fires the look-up is given up
   * @returns the keys without a document
   * @throws StorageError as soon as the store does not answer for one of them; some error when `stop` has fired
   */
  async missing(keys: Iterable<string>, stop: AbortSignal): Promise<ReadonlySet<string>> {
    const missing = new Set<string>();
    const waiting = new Set(keys).values();
    const giveUp = new AbortController();
    setMaxListeners(AT_ONCE_MAX + 1, giveUp.signal);
    const passOn = (): void => {
      giveUp.abort(stop.reason);
    };
    // A store may be deaf to the signal: a folder on a file system that hangs answers nobody.
    const givenUp = new Promise<never>((_resolve, reject) => {
      giveUp.signal.addEventListener('abort', () => {
        reject(giveUp.signal.reason as Error);
      });
    });
    givenUp.catch(() => undefined);
    let failure: { readonly cause: unknown } | undefined;
    const lookUpOneByOne = async (): Promise<void> => {
      try {
        for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
          giveUp.signal.throwIfAborted();
          const answer = this.store.exists(next.value, giveUp.signal);
          if (!(await Promise.race([answer, givenUp]))) missing.add(next.value);
        }
      } catch (cause) {
        failure ??= { cause };
        giveUp.abort(cause);
      }
    };
    stop.addEventListener('abort', passOn);
    if (stop.aborted) passOn();
    await Promise.all(Array.from({ length: AT_ONCE_MAX }, lookUpOneByOne));
    stop.removeEventListener('abort', passOn);
    if (failure) throw failure.cause;
    return missing;
  }

  /**
   * The key of a stored location (contract F1).
   *
   * @returns nothing when the location is in another store than the configured one, so that it cannot be looked up
   */
  keyOf(location: string): string | undefined {
    const front = `${this.bucket}/`;
    return location.startsWith(front) ? location.slice(front.length) : undefined;
  }
}
