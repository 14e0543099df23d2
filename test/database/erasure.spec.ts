import pg from 'pg';
import { ErasureRepository } from '../../src/accounts/erasure/erasure.repository.js';
import { ErasureService } from '../../src/accounts/erasure/erasure.service.js';
import type { Erasure } from '../../src/accounts/erasure/erasure.types.js';
import { refusalOf, type TestDatabase } from '../support/database.js';
import { startService, unique, type AccountPair, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const { jest } = import.meta;

const ITEM_TABLES = ['note', 'transaction', 'statement', 'payment_instruction', 'import_request'];

describe('an erasure beside running imports', () => {
  let service: TestService;
  let database: TestDatabase;
  beforeAll(async () => {
    service = await startService({ DATABASE_POOL_MAX: '20' });
    ({ database } = service);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => service.stop());

  /** @returns resolves when an erasure has looked several times whether the transactions before it have ended */
  function isWaiting(): () => Promise<void> {
    const look = jest.spyOn(service.app.get(ErasureRepository, { strict: false }), 'areWriting');
    return () => waitUntil('the erasure waits', () => Promise.resolve(look.mock.calls.length >= 3));
  }

  const begin = (ref: AccountPair, onLongWait = (): void => undefined): Promise<Erasure> =>
    service.app.get(ErasureService, { strict: false }).begin({
      importSupplier: ref.import_supplier,
      externalAccountNumber: ref.external_account_number,
      reason: 'test',
      operator: 'test',
      interrupted: new AbortController().signal,
      onLongWait,
    });
  async function complete(erasure: Erasure): Promise<Erasure> {
    for await (const location of erasure.documents) expect(location).not.toBe('');
    expect(erasure.isComplete).toBe(true);
    return erasure;
  }

  /** Rows of any table whose account does not exist. */
  async function orphans(): Promise<string[]> {
    const found: string[] = [];
    for (const table of ITEM_TABLES) {
      const rows = await database.sql(
        `SELECT FROM ${table} t WHERE NOT EXISTS (
           SELECT FROM account_import a
            WHERE a.import_supplier_id = t.import_supplier_id AND a.external_account_number = t.external_account_number
              AND a.status = 'imported')`,
      );
      if (rows.length > 0) found.push(`${rows.length} of ${table}`);
    }
    return found;
  }

  /** Run queries on a connection of their own. */
  async function connected<T>(use: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return await use(client);
    } finally {
      await client.end();
    }
  }

  const insertNote = `INSERT INTO note (import_supplier_id, external_account_number, created_at, created_at_sent,
                                        import_request_id, body, is_pinned)
                      SELECT id, $2, now(), true, uuidv7(), 'text', false FROM import_supplier WHERE code = $1`;
  const pair = (ref: AccountPair): string[] => [ref.import_supplier, ref.external_account_number];

  it('waits for an import that saw the account, and removes what it stored (S10)', async () => {
    const { ref } = await service.given.importedAccount();
    await connected(async (client) => {
      await client.query('BEGIN');
      await client.query(insertNote, pair(ref));
      const waiting = isWaiting();
      const completed = begin(ref).then(complete);
      await waiting();
      await client.query('COMMIT');
      expect((await completed).state.rows.notes).toBe(1);
    });
    expect(await orphans()).toEqual([]);
  });

  it('lets an import that waits for a lock answer 404 when the account is erased meanwhile (S10)', async () => {
    const { ref, token } = await service.given.importedAccount();
    const release = await database.lock('note');
    const answer = service.post('notes/create/', token, { ...ref, notes: [{ body: 'late' }] });
    await database.blocked(1);
    const erasure = await begin(ref);
    await release();
    expect((await answer).status).toBe(404);
    await complete(erasure);
    expect(await orphans()).toEqual([]);
  });

  it('lets an import that saw the account and has stored nothing yet answer 404 (S10)', async () => {
    const { ref, token } = await service.given.importedAccount();
    // The import reads the account, then waits for the row that another transaction is inserting.
    await connected(async (client) => {
      await client.query('BEGIN');
      await client.query(
        `INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, import_request_id,
                                  transaction_date, amount, type)
         SELECT id, $2, 't-1', uuidv7(), '2026-02-01', 1, 'CHARGE' FROM import_supplier WHERE code = $1`,
        pair(ref),
      );
      const transactions = [
        { transaction_id: 't-1', transaction_date: '2026-02-01', amount: 1, type: 'CHARGE' },
      ];
      const answer = service.post('transactions/create/', token, { ...ref, transactions });
      await database.blocked(1);
      const waiting = isWaiting();
      const completed = begin(ref).then(complete);
      await waiting();
      await client.query('ROLLBACK');
      expect((await answer).status).toBe(404);
      await completed;
    });
    expect(await orphans()).toEqual([]);
  });

  it('does not wait for transactions that only read, nor for other databases (S10)', async () => {
    const { ref } = await service.given.importedAccount();
    await connected(async (client) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await client.query('SELECT count(*) FROM note');
      await complete(await begin(ref));
    });
  });

  it('leaves nothing without an account whatever imports at the same time (S10)', async () => {
    const world = await service.given.supplier();
    for (let round = 0; round < 8; round += 1) {
      const accounts = await Promise.all(
        Array.from({ length: 4 }, () => service.given.importedAccount({ world, number: unique('race') })),
      );
      const imports = accounts.flatMap(({ ref }) =>
        Array.from({ length: 8 }, async (_one, n) => {
          const [path, payload]: [string, object] =
            n % 2 === 0
              ? [
                  'notes/create/',
                  { notes: [{ body: `Note ${n}`, document_paths: [{ document_path: 'a' }] }] },
                ]
              : [
                  'transactions/create/',
                  {
                    transactions: [
                      { transaction_id: `${n}`, transaction_date: '2025-01-01', amount: 1, type: 'CHARGE' },
                    ],
                  },
                ];
          return (await service.post(path, world.token, { ...ref, ...payload })).status;
        }),
      );
      const erasures = accounts.map(async ({ ref }) => complete(await begin(ref)));
      for (const status of await Promise.all(imports)) expect([201, 404]).toContain(status);
      await Promise.all(erasures);
      expect(await orphans()).toEqual([]);
    }
  });

  describe('the database', () => {
    const close = (ref: AccountPair): string => `
      WITH job AS (
        INSERT INTO erasure (import_supplier_id, external_account_number, reason, run_id)
        SELECT id, '${ref.external_account_number}', 'test', uuidv7()
          FROM import_supplier WHERE code = '${ref.import_supplier}' RETURNING import_supplier_id, id
      )
      INSERT INTO account_erasure SELECT import_supplier_id, '${ref.external_account_number}', id FROM job`;

    it('refuses to end the erasure of an account that has rows (S10)', async () => {
      const { ref } = await service.given.importedAccount();
      await database.sql(insertNote, pair(ref));
      await database.sql(close(ref));
      const end = (): Promise<unknown> =>
        database.sql('DELETE FROM account_erasure WHERE external_account_number = $1', [
          ref.external_account_number,
        ]);
      expect(await refusalOf(end())).toMatchObject({ code: '23001' });
      await database.sql('DELETE FROM account_import WHERE external_account_number = $1', [
        ref.external_account_number,
      ]);
      expect(await refusalOf(end())).toMatchObject({ code: '23001' });
      await database.sql('DELETE FROM note WHERE external_account_number = $1', [
        ref.external_account_number,
      ]);
      expect(await refusalOf(end())).toBeUndefined();
    });

    it('refuses rows and a new account under the number meanwhile, to be tried again (S10)', async () => {
      const { ref } = await service.given.importedAccount();
      await database.sql(insertNote, pair(ref));
      await database.sql(close(ref));
      await database.sql('DELETE FROM account_import WHERE external_account_number = $1', [
        ref.external_account_number,
      ]);
      expect(await refusalOf(database.sql(insertNote, pair(ref)))).toMatchObject({ code: '40001' });
      const stage = database.sql(
        `INSERT INTO account_import (import_supplier_id, external_account_number)
         SELECT id, $2 FROM import_supplier WHERE code = $1`,
        pair(ref),
      );
      expect(await refusalOf(stage)).toMatchObject({ code: '40001' });
      const update = database.sql(`UPDATE note SET is_pinned = true WHERE external_account_number = $1`, [
        ref.external_account_number,
      ]);
      expect(await refusalOf(update)).toBeUndefined();
    });
  });
});
