import { RequestsUnderWay } from '../../../../src/infrastructure/database/requests-under-way.js';
import { ErasureService } from '../../../../src/capabilities/erasure/erasure.service.js';
import type { Erasure } from '../../../../src/capabilities/erasure/erasure.types.js';
import { refusalOf } from '../../../support/database.js';
import { importBy, IMPORT_QUERIES } from '../../../support/import-queries.js';
import { startService, unique, type AccountPair } from '../../../support/service.js';
import { setUp, standIn } from '../../../support/set-up.js';
import { waitUntil } from '../../../support/wait-until.js';
import { idOf } from '../../../support/suppliers.js';

const { jest } = import.meta;

const ITEM_TABLES = ['note', 'transaction', 'statement', 'payment_instruction', 'import_request'];

describe('an erasure during imports', () => {
  const service = setUp(() => startService({ DATABASE_POOL_MAX: '20' }));
  const database = standIn(() => service.database);

  /**
   * @param others number of connections that already wait for a lock
   * @returns a function that waits until an erasure waits: it polls for the end of earlier transactions and, on several nodes, waits
   *   for their locks
   */
  function isWaiting(others = 0): () => Promise<unknown> {
    if (database.isDistributed) return () => database.blocked(others + 1);
    const look = jest.spyOn(service.app.get(RequestsUnderWay, { strict: false }), 'areWriting');
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

  const insertNote = `INSERT INTO note (import_supplier_id, external_account_number, created_at, created_at_sent,
                                        import_request_id, body, is_pinned)
                      SELECT id, $2, now(), true, uuidv7(), 'text', false FROM import_supplier WHERE code = $1`;
  const pair = (ref: AccountPair): string[] => [ref.import_supplier, ref.external_account_number];

  it('waits for an import that saw the account, and removes what it stored (S10)', async () => {
    const { ref } = await service.given.importedAccount();
    {
      await using client = await database.connect();
      await client.query('BEGIN');
      await client.query(insertNote, pair(ref));
      const waiting = isWaiting();
      const completed = begin(ref).then(complete);
      await waiting();
      await client.query('COMMIT');
      expect((await completed).state.rows.notes).toBe(1);
    }
    expect(await orphans()).toEqual([]);
  });

  it.each(IMPORT_QUERIES)(
    'makes an import that waits for a lock answer 404 when the account is erased meanwhile (S10): $query',
    async (query) => {
      importBy(query);
      const { ref, token } = await service.given.importedAccount();
      const release = await database.lock('note');
      const answer = service.post('notes/create/', token, { ...ref, notes: [{ body: 'late' }] });
      await database.blocked(1);
      const erasure = await begin(ref);
      await release();
      expect((await answer).status).toBe(404);
      await complete(erasure);
      expect(await orphans()).toEqual([]);
    },
  );

  it.each(IMPORT_QUERIES)(
    'makes an import that saw the account but has stored nothing yet answer 404 (S10): $query',
    async (query) => {
      importBy(query);
      const { ref, token } = await service.given.importedAccount();
      // The import reads the account, then waits for the row that another transaction is inserting.
      {
        await using client = await database.connect();
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
        const waiting = isWaiting(1);
        const completed = begin(ref).then(complete);
        await waiting();
        await client.query('ROLLBACK');
        // On several nodes the erasure waits for the import too, if that continues first.
        expect(database.isDistributed ? [201, 404] : [404]).toContain((await answer).status);
        await completed;
      }
      expect(await orphans()).toEqual([]);
    },
  );

  it('does not wait for transactions that only read, nor for other databases (S10)', async () => {
    const { ref } = await service.given.importedAccount();
    {
      await using client = await database.connect();
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await client.query('SELECT count(*) FROM note');
      await complete(await begin(ref));
    }
  });

  it('leaves no row without an account, whatever is imported concurrently (S10)', async () => {
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
    /** @returns the steps that complete the erasure, in order */
    async function close(ref: AccountPair): Promise<(() => Promise<unknown>)[]> {
      const number = ref.external_account_number;
      const supplier = await idOf(database, ref.import_supplier);
      const [erasure] = await database.sql<{ id: string }>(
        `INSERT INTO erasure (import_supplier_id, external_account_number, reason, run_id)
         VALUES ($1, $2, 'test', uuidv7()) RETURNING id`,
        [supplier, number],
      );
      const account = [supplier, number, erasure!.id];
      await database.sql('INSERT INTO account_erasure VALUES ($1, $2, $3)', account);
      const of = 'WHERE import_supplier_id = $1 AND external_account_number = $2 AND erasure_id = $3';
      const end = (): Promise<unknown> => database.sql(`DELETE FROM account_erasure ${of}`, account);
      if (!database.isDistributed) return [end];
      const mark = 'UPDATE imported_account SET service_account_number = NULL, erasure_id = $3';
      {
        await using client = await database.connect();
        await client.query('BEGIN');
        await client.query(`${mark} WHERE import_supplier_id = $1 AND external_account_number = $2`, account);
        await client.query(
          'DELETE FROM account_import WHERE import_supplier_id = $1 AND external_account_number = $2',
          account.slice(0, 2),
        );
        await client.query('COMMIT');
      }
      return [() => database.sql(`DELETE FROM imported_account ${of}`, account), end];
    }

    const ofNumber = 'WHERE external_account_number = $1';

    it('refuses to end the erasure of an account that has rows (S10)', async () => {
      const { ref } = await service.given.importedAccount();
      const number = [ref.external_account_number];
      await database.sql(insertNote, pair(ref));
      const ends = await close(ref);
      const refused = { code: database.isDistributed ? '23503' : '23001' };
      for (const end of ends) expect(await refusalOf(end())).toMatchObject(refused);
      await database.sql(`DELETE FROM account_import ${ofNumber}`, number);
      for (const end of ends) expect(await refusalOf(end())).toMatchObject(refused);
      await database.sql(`DELETE FROM note ${ofNumber}`, number);
      for (const end of ends) expect(await refusalOf(end())).toBeUndefined();
    });

    it('refuses an account with the number during the erasure, or only its import (S10)', async () => {
      const { ref } = await service.given.importedAccount();
      const number = [ref.external_account_number];
      await database.sql(insertNote, pair(ref));
      await close(ref);
      await database.sql(`DELETE FROM account_import ${ofNumber}`, number);
      const stage = database.sql(
        `INSERT INTO account_import (import_supplier_id, external_account_number)
         SELECT id, $2 FROM import_supplier WHERE code = $1`,
        pair(ref),
      );
      if (!database.isDistributed) {
        expect(await refusalOf(stage)).toMatchObject({ code: '40001' });
        return;
      }
      expect(await refusalOf(stage)).toBeUndefined();
      const imported = database.sql(
        `UPDATE account_import
            SET status = 'imported', service_account_number = 'A-FFFFFFFF', account_created_at = now(),
                open_statement_from = '2026-01-01' ${ofNumber}`,
        number,
      );
      expect(await refusalOf(imported)).toMatchObject({ code: '23503' });
      const supplier = await idOf(database, ref.import_supplier);
      const noted = database.sql(
        `INSERT INTO imported_account (import_supplier_id, external_account_number, service_account_number)
         VALUES ($1, $2, 'A-FFFFFFFF')`,
        [supplier, ref.external_account_number],
      );
      expect(await refusalOf(noted)).toMatchObject({ code: '23505' });
    });

    it('refuses rows during the erasure with a retryable error, or refuses the end while they exist (S10)', async () => {
      const { ref } = await service.given.importedAccount();
      const number = [ref.external_account_number];
      await database.sql(insertNote, pair(ref));
      const [end] = await close(ref);
      await database.sql(`DELETE FROM account_import ${ofNumber}`, number);
      const update = database.sql(`UPDATE note SET is_pinned = true ${ofNumber}`, number);
      expect(await refusalOf(update)).toBeUndefined();
      await database.sql(`DELETE FROM note ${ofNumber}`, number);
      const added = await refusalOf(database.sql(insertNote, pair(ref)));
      if (database.isDistributed) expect(await refusalOf(end!())).toMatchObject({ code: '23503' });
      else expect(added).toMatchObject({ code: '40001' });
    });
  });
});
