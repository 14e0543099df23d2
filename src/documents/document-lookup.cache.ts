/**
 * How long a document that was found counts as existing. With a slow store, a request with thousands of documents is repeated
 * several times, each time for the minute that a look-up may take, before all of them have been found.
 */
const TTL_MS = 15 * 60_000;
/** Approximate memory of all entries. Beyond it, the oldest entries are evicted. */
const BYTES_MAX = 16 * 1_048_576;
/** Approximate memory of an entry without its key. */
const ENTRY_BYTES = 100;

/**
 * The documents that look-ups found before they failed, so that a repeated request continues where the previous one stopped.
 * Missing documents are not cached: they may be uploaded at any time.
 *
 * Source: choice F3.
 */
export class DocumentLookupCache {
  /** When each document was found, in milliseconds of this process's clock, oldest first. */
  private readonly seenAtMs = new Map<string, number>();
  private bytes = 0;

  has(key: string): boolean {
    const seenAtMs = this.seenAtMs.get(key);
    return seenAtMs !== undefined && performance.now() - seenAtMs < TTL_MS;
  }

  add(key: string): void {
    this.delete(key);
    this.seenAtMs.set(key, performance.now());
    this.bytes += bytesOf(key);
    for (const oldest of this.seenAtMs.keys()) {
      if (this.bytes <= BYTES_MAX) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    if (this.seenAtMs.delete(key)) this.bytes -= bytesOf(key);
  }
}

function bytesOf(key: string): number {
  return key.length + ENTRY_BYTES;
}
