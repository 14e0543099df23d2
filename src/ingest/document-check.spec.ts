import type { Caller } from '../auth/caller.js';
import type { Tx, UnitOfWork } from '../infrastructure/database/unit-of-work.js';
import { DocumentLookup } from '../documents/document-lookup.js';
import { documentKey, DocumentStore, type DocumentName } from '../documents/document-store.js';
import type { SupplierIds } from '../import-suppliers/supplier-ids.js';
import {
  DocumentImports,
  type CheckedImport,
  type DocumentRequest,
  type DocumentRow,
} from './document-check.js';
import { ImportRunner, type ImportRepository } from './import-runner.js';

const { jest } = import.meta;

/** A store that gives the same answer for every document. */
class OneAnswer extends DocumentStore {
  readonly lookedUp: string[] = [];

  constructor(private readonly answer: () => Promise<boolean>) {
    super();
  }

  exists(document: DocumentName): Promise<boolean> {
    this.lookedUp.push(documentKey(document));
    return this.answer();
  }

  read(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

const PATHS = ['a.pdf'];
const WORK = {
  query: (work: (tx: Tx) => unknown) => work({} as Tx),
  atSupplier: (_id: number, work: (at: unknown) => unknown) => work(WORK),
  inFairQueue: (_owner: string, work: () => unknown) => work(),
} as unknown as UnitOfWork;
const SUPPLIER_IDS = { find: () => Promise.resolve(1) } as unknown as SupplierIds;

/** An import whose attempts each ask for a look-up below the next root in the list. */
class TestRepository {
  readonly queryName = 'notes';
  readonly checked: (string | null)[] = [];

  constructor(private readonly roots: readonly (string | null)[]) {}

  query(_tx: Tx, _importSupplierId: number, requests: readonly DocumentRequest[]): Promise<DocumentRow[]> {
    return Promise.resolve(
      requests.map(({ checkedRoot }) => {
        this.checked.push(checkedRoot);
        const root_to_check = this.roots[this.checked.length - 1] ?? null;
        return { supplier_status: 'ongoing', is_open: true, root_to_check };
      }),
    );
  }
}

describe('an import with documents', () => {
  /** @returns the outcome, and for each attempt the root below which its documents had been found */
  function importBelow(
    store: DocumentStore,
    ...roots: (string | null)[]
  ): { outcome: Promise<CheckedImport<DocumentRow>>; checked: (string | null)[] } {
    const repository = new TestRepository(roots);
    const imports = new DocumentImports(
      new ImportRunner(WORK, SUPPLIER_IDS, 'bucket'),
      new DocumentLookup(store, 'bucket'),
    );
    const caller = {
      organisationId: 'o',
      organisationName: 'o',
      apiKeyId: 'k',
      requestId: 'r',
      receivedAtMs: 0,
      claims: {} as Caller['claims'],
    };
    const account = { importSupplier: 's', externalAccountNumber: 'a' };
    const request = { caller, account, items: [], hasDocuments: true, checkedRoot: null };
    const repositoryOf = repository as unknown as ImportRepository<unknown, DocumentRequest, DocumentRow>;
    const outcome = imports.run(repositoryOf, request, false, () => PATHS);
    return { outcome, checked: repository.checked };
  }

  it('fails when the root changes three times during the look-ups (F3, T4)', async () => {
    const store = new OneAnswer(() => Promise.resolve(true));
    const { outcome } = importBelow(store, 'one', 'two', 'three', 'four');
    await expect(outcome).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(store.lookedUp).toEqual(['one/a.pdf', 'two/a.pdf', 'three/a.pdf']);
  });

  it('fails when looking up all of its documents takes more than a minute (F3, T4)', async () => {
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    const { outcome } = importBelow(new OneAnswer(() => Promise.resolve(true)), 'one');
    await expect(outcome).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(timeout.mock.calls).toEqual([[60_000]]);
  });
});
