import { DocumentLookup } from '../documents/document-lookup.js';
import { DocumentStore, StorageError } from '../documents/document-store.js';
import { withDocuments, type DocumentDemand } from './document-check.js';

const { jest } = import.meta;

/** A store whose answer is the same for everything. */
class OneAnswer extends DocumentStore {
  readonly asked: string[] = [];

  constructor(private readonly answer: () => Promise<boolean>) {
    super();
  }

  exists(key: string): Promise<boolean> {
    this.asked.push(key);
    return this.answer();
  }
}

const PATHS = ['a.pdf'];

describe('a load with documents', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** A load below the roots of the list, one for each attempt; @returns what was tried */
  function load(
    store: DocumentStore,
    ...roots: (string | null)[]
  ): { answer: Promise<{ missing: ReadonlySet<string> }>; checked: (string | null)[] } {
    const checked: (string | null)[] = [];
    const attempt = (root: string | null): Promise<DocumentDemand> => {
      checked.push(root);
      return Promise.resolve({ root_to_check: roots[checked.length - 1] ?? null });
    };
    return { answer: withDocuments(new DocumentLookup(store, 'bucket'), () => PATHS, attempt), checked };
  }

  it('is tried again after its documents were found, below each root until one stays (F3)', async () => {
    const store = new OneAnswer(() => Promise.resolve(true));
    const { answer, checked } = load(store, 'one', 'two', 'three');
    expect((await answer).missing).toEqual(new Set());
    expect(checked).toEqual([null, 'one', 'two', 'three']);
    expect(store.asked).toEqual(['one/a.pdf', 'two/a.pdf', 'three/a.pdf']);
  });

  it('is given up when the root has been changed three times meanwhile (F3, T4)', async () => {
    const store = new OneAnswer(() => Promise.resolve(true));
    const { answer } = load(store, 'one', 'two', 'three', 'four');
    await expect(answer).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(store.asked).toEqual(['one/a.pdf', 'two/a.pdf', 'three/a.pdf']);
  });

  it('is not tried again when a document is missing (F3)', async () => {
    const { answer, checked } = load(new OneAnswer(() => Promise.resolve(false)), 'one');
    expect((await answer).missing).toEqual(new Set(PATHS));
    expect(checked).toEqual([null]);
  });

  it.each([
    ['service_unavailable', new StorageError('No answer.')],
    [undefined, new Error('A mistake of ours.')],
  ])('fails with the code %s when the store fails with %s (F3, T4)', async (code, failure) => {
    const { answer } = load(new OneAnswer(() => Promise.reject(failure)), 'one');
    const error: unknown = await answer.catch((reason: unknown) => reason);
    expect((error as { code?: string }).code).toBe(code);
  });

  it('waits a minute for all its documents together, and is then told to come again (F3, T4)', async () => {
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    const { answer } = load(new OneAnswer(() => Promise.resolve(true)), 'one');
    await expect(answer).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(timeout.mock.calls).toEqual([[60_000]]);
  });
});
