import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DocumentLookup } from './document-lookup.js';
import { DocumentStore, StorageError, type StoredDocument } from './document-store.js';

/** The first bytes of a PDF file. */
const PDF_SIGNATURE = Buffer.from('%PDF-');

/** Maximum wait for the next bytes of a document, in milliseconds. */
const SILENCE_MS_MAX = 10_000;

/** Reading may take two minutes, plus a second for each 10 kB, because it occupies a socket of the store for that long. */
const READING_MS_MAX = 120_000;
const BYTES_PER_MS_MIN = 10;

/** A document that the caller may see. */
export interface OpenDocument {
  /** In bytes. */
  readonly size: number;
  /** Whether its first bytes are those of a PDF file, whatever its name says (choice C6). */
  readonly isPdf: boolean;
  /**
   * Readable once, in constant memory. Throws a StorageError if the store stops sending, the size was different, or reading takes
   * longer than two minutes plus a second for each 10 kB.
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
   * Open the first of several locations that has a document: if the document root was changed, the same path has several
   * locations.
   *
   * @param path of the document, as it was sent
   * @param locations as stored (choice F1), in the order of preference
   * @param stop ends the look-up and the reading when it fires
   * @returns undefined if no location has a document, or all are in another store than the configured one
   * @throws StorageError if the answer is not certain
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
      return readStart(stored);
    }
    return undefined;
  }
}

/** Ends a reading that takes too long, even while nothing requests the next bytes. */
function limitReading({ size, bytes }: StoredDocument): void {
  const timer = setTimeout(
    () => bytes.destroy(new StorageError('A document was read too slowly.')),
    READING_MS_MAX + size / BYTES_PER_MS_MIN,
  );
  bytes.once('close', () => {
    clearTimeout(timer);
  });
}

async function readStart({ size, bytes }: StoredDocument): Promise<OpenDocument> {
  const chunks = bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  let first = Buffer.alloc(0);
  try {
    while (first.length < PDF_SIGNATURE.length) {
      const next = await nextChunk(chunks);
      if (!next) break;
      first = Buffer.concat([first, next]);
    }
  } catch (error) {
    bytes.destroy();
    throw error;
  }
  const isPdf = first.subarray(0, PDF_SIGNATURE.length).equals(PDF_SIGNATURE);
  return { size, isPdf, bytes: remainingBytes(size, first, chunks, bytes) };
}

async function* remainingBytes(
  size: number,
  first: Buffer,
  chunks: AsyncIterator<Buffer, undefined>,
  bytes: StoredDocument['bytes'],
): AsyncGenerator<Buffer> {
  let count = 0;
  try {
    for (let chunk: Buffer | undefined = first; chunk; chunk = await nextChunk(chunks)) {
      count += chunk.length;
      yield chunk;
    }
    if (count !== size) throw new StorageError('A document was changed while it was read.');
  } finally {
    bytes.destroy();
  }
}

/** @returns undefined at the end */
async function nextChunk(chunks: AsyncIterator<Buffer, undefined>): Promise<Buffer | undefined> {
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
