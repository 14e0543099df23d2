import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DocumentLookup } from './document-lookup.js';
import { DocumentStore, StorageError, type StoredDocument } from './document-store.js';

/** With which a PDF file begins. */
const PDF = Buffer.from('%PDF-');

/** Longest wait for the next bytes of a document, in milliseconds. */
const SILENCE_MS_MAX = 10_000;

/** A reading may take two minutes, and a second more for each 10 kB: it holds a socket of the store for as long. */
const READING_MS_MAX = 120_000;
const BYTES_PER_MS_MIN = 10;

/** A document that somebody may see. */
export interface OpenDocument {
  /** In bytes. */
  readonly size: number;
  /** Whether its bytes begin like those of a PDF file, whatever its name says (choice C6). */
  readonly isPdf: boolean;
  /**
   * To be read once, in constant memory. Throws a StorageError when the store stops answering, the size was another, or the
   * reading takes longer than two minutes and a second for each 10 kB.
   */
  readonly bytes: AsyncIterable<Buffer>;
}

/** Reads documents for people. */
@Injectable()
export class DocumentReader {
  constructor(
    private readonly store: DocumentStore,
    private readonly lookup: DocumentLookup,
  ) {}

  /**
   * Open the first of several locations at which there is a document: the same path leads elsewhere after the document root
   * was changed.
   *
   * @param path of the document, as it was sent
   * @param locations as they were stored (choice F1), in the order of preference
   * @param stop ends the look-up and the reading when it fires
   * @returns undefined when none has a document, or all are in another store than the configured one
   * @throws StorageError whenever the answer is not certain
   * Source: choice C6.
   */
  async open(
    path: string,
    locations: readonly string[],
    stop: AbortSignal,
  ): Promise<OpenDocument | undefined> {
    for (const location of locations) {
      const root = this.lookup.rootOf(location, path);
      const stored = root === undefined ? undefined : await this.store.read({ root, path }, stop);
      if (!stored) continue;
      limitReading(stored);
      return beginOf(stored);
    }
    return undefined;
  }
}

/** Ends a reading that takes too long, also while nobody asks for the next bytes. */
function limitReading({ size, bytes }: StoredDocument): void {
  const timer = setTimeout(
    () => bytes.destroy(new StorageError('A document was read too slowly.')),
    READING_MS_MAX + size / BYTES_PER_MS_MIN,
  );
  bytes.once('close', () => {
    clearTimeout(timer);
  });
}

async function beginOf({ size, bytes }: StoredDocument): Promise<OpenDocument> {
  const chunks = bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  let first = Buffer.alloc(0);
  try {
    while (first.length < PDF.length) {
      const next = await nextOf(chunks);
      if (!next) break;
      first = Buffer.concat([first, next]);
    }
  } catch (error) {
    bytes.destroy();
    throw error;
  }
  const isPdf = first.subarray(0, PDF.length).equals(PDF);
  return { size, isPdf, bytes: restOf(size, first, chunks, bytes) };
}

async function* restOf(
  size: number,
  first: Buffer,
  chunks: AsyncIterator<Buffer, undefined>,
  bytes: StoredDocument['bytes'],
): AsyncGenerator<Buffer> {
  let count = 0;
  try {
    for (let chunk: Buffer | undefined = first; chunk; chunk = await nextOf(chunks)) {
      count += chunk.length;
      yield chunk;
    }
    if (count !== size) throw new StorageError('A document was changed while it was read.');
  } finally {
    bytes.destroy();
  }
}

/** @returns undefined at the end */
async function nextOf(chunks: AsyncIterator<Buffer, undefined>): Promise<Buffer | undefined> {
  const ended = new AbortController();
  const silence = delay(SILENCE_MS_MAX, undefined, { signal: ended.signal }).then(() => {
    throw new StorageError(`The document store has sent nothing for ${SILENCE_MS_MAX} ms.`);
  });
  silence.catch(() => undefined);
  try {
    const { value } = await Promise.race([chunks.next(), silence]);
    return value;
  } catch (cause) {
    if (cause instanceof StorageError) throw cause;
    throw new StorageError(`A document could not be read to its end: ${(cause as Error).message}.`, {
      cause,
    });
  } finally {
    ended.abort();
  }
}
