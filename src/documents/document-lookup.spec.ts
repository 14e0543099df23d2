import { setMaxListeners } from 'node:events';
import { DocumentLookup } from './document-lookup.js';
import { DocumentStore, StorageError } from './document-store.js';

const { jest } = import.meta;

/** A store that answers when the test wants it to. */
class HeldStore extends DocumentStore {
  readonly asked: string[] = [];
  private readonly answers: ((answer: boolean | Error) => void)[] = [];

  exists(key: string, stop: AbortSignal): Promise<boolean> {
    this.asked.push(key);
    return new Promise((resolve, reject) => {
      this.answers.push((answer) => {
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      });
      // The answers of this store leave their listeners behind.
      setMaxListeners(0, stop);
      stop.addEventListener('abort', () => {
        reject(new StorageError('Given up.'));
      });
    });
  }

  /** Answer a question, and let whoever asked it go on. @param index in the order in which they were asked */
  async answer(index: number, answer: boolean | Error): Promise<void> {
    this.answers[index]!(answer);
    await new Promise(setImmediate);
  }
}

const keysOf = (count: number): string[] => Array.from({ length: count }, (_none, index) => `${index}.pdf`);

describe('looking documents up', () => {
  let store: HeldStore;
  let lookup: DocumentLookup;
  let stop: AbortController;
  beforeEach(() => {
    store = new HeldStore();
    lookup = new DocumentLookup(store, '/srv/docs');
    stop = new AbortController();
  });

  it('asks for sixteen at a time, and for the seventeenth when one is answered (F3)', async () => {
    const keys = keysOf(17);
    const missing = lookup.missing(keys, stop.signal);
    expect(store.asked).toEqual(keys.slice(0, 16));
    await store.answer(3, false);
    expect(store.asked).toEqual(keys);
    for (const index of keys.keys()) await store.answer(index, true);
    expect(await missing).toEqual(new Set(['3.pdf']));
  });

  it('asks once for what is named twice (F3)', async () => {
    const missing = lookup.missing(['a.pdf', 'b.pdf', 'a.pdf'], stop.signal);
    expect(store.asked).toEqual(['a.pdf', 'b.pdf']);
    await store.answer(0, false);
    await store.answer(1, true);
    expect(await missing).toEqual(new Set(['a.pdf']));
  });

  it('gives all of them up, and asks for no more, when the store does not answer for one (F3)', async () => {
    const missing = lookup.missing(keysOf(40), stop.signal);
    const failure = new StorageError('No answer.');
    const expectation = expect(missing).rejects.toBe(failure);
    await store.answer(0, false);
    await store.answer(5, failure);
    await expectation;
    expect(store.asked).toHaveLength(17);
  });

  it.each([
    ['before', 0],
    ['while', 16],
  ])('is given up when nobody wants it any more %s the store is asked (F3)', async (when, asked) => {
    if (when === 'before') stop.abort();
    const missing = lookup.missing(keysOf(40), stop.signal);
    stop.abort();
    await expect(missing).rejects.toThrow();
    expect(store.asked).toHaveLength(asked);
  });

  it('is given up although the store hears nothing and never answers (F3)', async () => {
    jest.spyOn(store, 'exists').mockReturnValue(new Promise(() => undefined));
    const missing = lookup.missing(keysOf(40), stop.signal);
    const reason = new Error('Enough.');
    stop.abort(reason);
    await expect(missing).rejects.toBe(reason);
  });

  it.each([
    ['/srv/docs/root/a.pdf', 'root/a.pdf'],
    ['/srv/docs/root//srv/docs/a.pdf', 'root//srv/docs/a.pdf'],
    ['/srv/docs-evil/root/a.pdf', undefined],
    ['/srv/docs', undefined],
    ['/srv/Docs/root/a.pdf', undefined],
    ['elsewhere/srv/docs/root/a.pdf', undefined],
  ])('looks for what was stored as %s under the key %s (F1)', (location, key) => {
    expect(lookup.keyOf(location)).toBe(key);
  });
});
