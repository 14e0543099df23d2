import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { DocumentLookup } from './document-lookup.js';
import { DocumentReader } from './document-reader.js';
import {
  documentKey,
  DocumentStore,
  StorageError,
  type DocumentName,
  type StoredDocument,
} from './document-store.js';

const { jest } = import.meta;

const NEVER = new AbortController().signal;

/** A store with the given documents, each in the given chunks. */
class GivenStore extends DocumentStore {
  readonly opened: Readable[] = [];

  constructor(private readonly documents: Readonly<Record<string, readonly string[]>>) {
    super();
  }

  exists(document: DocumentName): Promise<boolean> {
    return Promise.resolve(documentKey(document) in this.documents);
  }

  read(document: DocumentName): Promise<StoredDocument | undefined> {
    const chunks = this.documents[documentKey(document)];
    if (!chunks) return Promise.resolve(undefined);
    const bytes = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
    this.opened.push(bytes);
    return Promise.resolve({ size: chunks.join('').length, bytes });
  }
}

function readerOf(store: DocumentStore): DocumentReader {
  return new DocumentReader(store, new DocumentLookup(store, 'bucket'));
}

describe('a document that is read', () => {
  it.each([
    [['%PDF-1.7 and so on'], true],
    [['%P', 'DF', '-', 'rest'], true],
    [['%PDF'], false],
    [[' %PDF-1.7'], false],
    [['<html>%PDF-'], false],
    [[], false],
  ])('is a PDF file if its first bytes say so: %j (C6)', async (chunks, isPdf) => {
    const document = await readerOf(new GivenStore({ 'root/a': chunks })).open('a', ['bucket/root/a'], NEVER);
    expect(document?.isPdf).toBe(isPdf);
    expect(await text(document!.bytes)).toBe(chunks.join(''));
  });

  it('is the first that exists in the configured store (C6)', async () => {
    const store = new GivenStore({ 'new/a': ['new'], 'old/a': ['old'] });
    const open = async (...locations: string[]): Promise<string | undefined> => {
      const document = await readerOf(store).open('a', locations, NEVER);
      return document && text(document.bytes);
    };
    expect(await open('bucket/new/a', 'bucket/old/a')).toBe('new');
    expect(await open('bucket/none/a', 'bucket/old/a')).toBe('old');
    expect(await open('another/new/a', 'buckets/new/a')).toBeUndefined();
    expect(await open()).toBeUndefined();
  });

  it('fails at the end if its size differs from the size that the store reported (C6)', async () => {
    const store = new GivenStore({ 'root/a': ['%PDF-1.7'] });
    const read = store.read.bind(store);
    store.read = async (wanted) => ({ ...(await read(wanted))!, size: 9 });
    const document = await readerOf(store).open('a', ['bucket/root/a'], NEVER);
    await expect(text(document!.bytes)).rejects.toThrow(StorageError);
  });

  it('is closed if its reader takes longer than two minutes plus a second for each 10 kB (C6, T18)', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const store = new GivenStore({ 'root/a': Array<string>(100).fill('x'.repeat(10_000)) });
      const [slow, quick] = [
        await readerOf(store).open('a', ['bucket/root/a'], NEVER),
        await readerOf(store).open('a', ['bucket/root/a'], NEVER),
      ];
      expect((await text(quick!.bytes)).length).toBe(1_000_000);
      const chunks = slow!.bytes[Symbol.asyncIterator]();
      await chunks.next();
      jest.advanceTimersByTime(120_000 + 100_000 - 1);
      expect(store.opened[0]!.destroyed).toBe(false);
      jest.advanceTimersByTime(1);
      expect(store.opened[0]!.destroyed).toBe(true);
      await expect(chunks.next()).rejects.toThrow(StorageError);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('is closed if it is not read to its end or fails (C6)', async () => {
    const store = new GivenStore({ 'root/a': ['%PDF-1.7', 'more', 'and more'] });
    const document = await readerOf(store).open('a', ['bucket/root/a'], NEVER);
    for await (const chunk of document!.bytes) {
      expect(chunk.toString()).toBe('%PDF-1.7');
      break;
    }
    expect(store.opened[0]!.destroyed).toBe(true);
    store.read = () => {
      const bytes = new Readable({ read: () => void bytes.destroy(new Error('gone')) });
      store.opened.push(bytes);
      return Promise.resolve({ size: 1, bytes });
    };
    await expect(readerOf(store).open('a', ['bucket/root/a'], NEVER)).rejects.toThrow(StorageError);
    expect(store.opened[1]!.destroyed).toBe(true);
  });
});
