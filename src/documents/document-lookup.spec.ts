import { setMaxListeners } from 'node:events';
import { DocumentLookup } from './document-lookup.js';
import { documentKey, DocumentStore, StorageError, type DocumentName } from './document-store.js';

const { jest } = import.meta;

/** A store that answers when the test says so. */
class HeldStore extends DocumentStore {
  readonly requested: string[] = [];
  private readonly answers: ((answer: boolean | Error) => void)[] = [];

  exists(document: DocumentName, stop: AbortSignal): Promise<boolean> {
    this.requested.push(documentKey(document));
    return new Promise((resolve, reject) => {
      this.answers.push((answer) => {
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      });
      // This store never removes its listeners.
      setMaxListeners(0, stop);
      stop.addEventListener('abort', () => {
        reject(new StorageError('Given up.'));
      });
    });
  }

  read(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** Answer a request, and let its caller continue. @param index in the order of the requests */
  async answer(index: number, answer: boolean | Error): Promise<void> {
    this.answers[index]!(answer);
    await new Promise(setImmediate);
  }
}

const pathsOf = (count: number): string[] => Array.from({ length: count }, (_none, index) => `${index}.pdf`);
const below = (paths: readonly string[]): string[] => paths.map((path) => `root/${path}`);

describe('looking documents up', () => {
  let store: HeldStore;
  let lookup: DocumentLookup;
  let stop: AbortController;
  beforeEach(() => {
    store = new HeldStore();
    lookup = new DocumentLookup(store, '/srv/docs');
    stop = new AbortController();
  });

  it('requests sixteen documents at a time, and the seventeenth when one is answered (F3)', async () => {
    const paths = pathsOf(17);
    const missing = lookup.missing('root', paths, stop.signal);
    expect(store.requested).toEqual(below(paths.slice(0, 16)));
    await store.answer(3, false);
    expect(store.requested).toEqual(below(paths));
    for (const index of paths.keys()) await store.answer(index, true);
    expect(await missing).toEqual(new Set(['3.pdf']));
  });

  it('requests a repeated document once (F3)', async () => {
    const missing = lookup.missing('root', ['a.pdf', 'b.pdf', 'a.pdf'], stop.signal);
    expect(store.requested).toEqual(below(['a.pdf', 'b.pdf']));
    await store.answer(0, false);
    await store.answer(1, true);
    expect(await missing).toEqual(new Set(['a.pdf']));
  });

  it('stops all requests and sends no more if the store does not answer one (F3)', async () => {
    const missing = lookup.missing('root', pathsOf(40), stop.signal);
    const failure = new StorageError('No answer.');
    const expectation = expect(missing).rejects.toBe(failure);
    await store.answer(0, false);
    await store.answer(5, failure);
    await expectation;
    expect(store.requested).toHaveLength(17);
  });

  it('requests all documents again after a successful look-up, because one may have been deleted (F3)', async () => {
    const first = lookup.missing('root', ['a.pdf', 'b.pdf'], stop.signal);
    await store.answer(0, true);
    await store.answer(1, true);
    expect(await first).toEqual(new Set());
    const later = lookup.missing('root', ['b.pdf', 'a.pdf'], stop.signal);
    await store.answer(2, true);
    await store.answer(3, false);
    expect(await later).toEqual(new Set(['a.pdf']));
  });

  it.each([
    ['before', 0],
    ['while', 16],
  ])('stops when it is cancelled %s documents are requested (F3)', async (when, count) => {
    if (when === 'before') stop.abort();
    const missing = lookup.missing('root', pathsOf(40), stop.signal);
    stop.abort();
    await expect(missing).rejects.toThrow();
    expect(store.requested).toHaveLength(count);
  });

  it('stops even if the store ignores the signal and never answers (F3)', async () => {
    jest.spyOn(store, 'exists').mockReturnValue(new Promise(() => undefined));
    const missing = lookup.missing('root', pathsOf(40), stop.signal);
    const reason = new Error('Enough.');
    stop.abort(reason);
    await expect(missing).rejects.toBe(reason);
  });

  it('looks up the same place again below another root that contains the first (F3, F4)', async () => {
    const first = lookup.missing('root', ['inner/a.pdf', 'b.pdf'], stop.signal);
    await store.answer(0, true);
    await store.answer(1, false);
    expect(await first).toEqual(new Set(['b.pdf']));
    const other = lookup.missing('root/inner', ['a.pdf'], stop.signal);
    expect(store.requested.slice(2)).toEqual(['root/inner/a.pdf']);
    await store.answer(2, false);
    expect(await other).toEqual(new Set(['a.pdf']));
  });

  it.each([
    ['/srv/docs/root/a.pdf', 'a.pdf', 'root'],
    ['/srv/docs/root/inner/b/a.pdf', 'b/a.pdf', 'root/inner'],
    ['/srv/docs/root/srv/docs/a.pdf', 'srv/docs/a.pdf', 'root'],
    ['/srv/docs-evil/root/a.pdf', 'a.pdf', undefined],
    ['/srv/docs', 'docs', undefined],
    ['/srv/docs/a.pdf', 'a.pdf', undefined],
    ['/srv/docs/root/a.pdf', 'b.pdf', undefined],
    ['/srv/Docs/root/a.pdf', 'a.pdf', undefined],
    ['elsewhere/srv/docs/root/a.pdf', 'a.pdf', undefined],
  ])('looks up the location %s of the path %s below the root %s (F1)', (location, path, root) => {
    expect(lookup.rootOf(location, path)).toBe(root);
  });
});
