/**
 * How long a document that was seen counts as there. With a slow store, a request with thousands of documents is repeated
 * several times, each time for the minute that a look-up may take, before all of them have been seen.
 */
const TTL_MS = 15 * 60_000;
/** About the memory of all entries; beyond it the oldest are evicted. */
const BYTES_MAX = 16 * 1_048_576;
/** About the memory of an entry beside its key. */
const ENTRY_BYTES = 100;

/**
 * The documents that look-ups saw before they failed, so that a repeated request continues where the one before it ended. A
 * missing document is not remembered: it may be uploaded at any time.
 *
 * Source: choice F3.
 */
export class DocumentLookupCache {
  /** When each was seen, in milliseconds of this process's clock, oldest first. */
  private readonly seenAtMs = new Map<string, number>();
  private bytes = 0;

  /** @param key of a document */
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
