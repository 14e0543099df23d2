import { RequestsUnderWay } from '../../../../src/infrastructure/database/requests-under-way.js';
import { CarryOverJob } from '../../../../src/capabilities/totals/carry-over.job.js';
import type { UndoOutcome } from '../../../../src/capabilities/undo/undo.service.js';
import { startCommand, startProcess, type CommandEnd } from '../../../support/cli.js';
import { importBy, IMPORT_QUERIES } from '../../../support/import-queries.js';
import { startService } from '../../../support/service.js';
import { setUp, standIn } from '../../../support/set-up.js';
import { SupplierOperations } from '../../../support/supplier-operations.js';
import { ObservedTotals } from '../../../support/totals.js';
import { idOf } from '../../../support/suppliers.js';
import { waitUntil } from '../../../support/wait-until.js';

const { jest } = import.meta;

/** Rows of each generated request. */
const ROWS = 100;

describe('undoing import requests', () => {
  const service = setUp(() => startService({ DATABASE_POOL_MAX: '20' }));
  const database = standIn(() => service.database);
  beforeAll(async () => {
    await service.app.get(CarryOverJob, { strict: false }).onApplicationShutdown();
  });

  /** A paused supplier with accounts `1` to `count`, each with requests of notes and of transactions. */
  async function filled(count: number, requests: number): Promise<SupplierOperations> {
    const of = new SupplierOperations(service, await service.given.supplier());
    const { supplier } = of.world;
    const numbers = Array.from({ length: count }, (_, index) => `${index + 1}`);
    await of.stage(numbers);
    await of.import();
    // Each request has the same id in every account, with the account in its first part.
    const id = `(lpad(a.number, 8, '0') || '-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
    const rows = `import_supplier s, unnest($2::text[]) AS a (number), generate_series(1, $3::integer) n`;
    const kind = `CASE n % 2 WHEN 0 THEN 'notes' ELSE 'transactions' END`;
    await database.sql(
      `INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored, amount,
                                   stored_at, has_unseen_documents)
       SELECT s.id, a.number, ${id}, ${kind}, $4, 'RUN-' || n, ${ROWS}, CASE n % 2 WHEN 1 THEN ${ROWS} END,
              now() + n * interval '1 millisecond', true
         FROM ${rows} WHERE s.code = $1`,
      [supplier, numbers, requests, of.world.apiKeyId],
    );
    const items = `${rows}, generate_series(1, ${ROWS}) i WHERE s.code = $1`;
    await database.sql(
      `INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, import_request_id, transaction_date,
                                amount, type)
       SELECT s.id, a.number, n || '-' || i, ${id}, '2026-01-01', 1, 'CHARGE' FROM ${items} AND n % 2 = 1`,
      [supplier, numbers, requests],
    );
    await database.sql(
      `INSERT INTO note (import_supplier_id, external_account_number, import_request_id, body, created_at, created_at_sent, is_pinned)
       SELECT s.id, a.number, ${id}, n || '-' || i, '2026-01-01', true, false FROM ${items} AND n % 2 = 0`,
      [supplier, numbers, requests],
    );
    await service.given.changed(
      supplier,
      'external_account_number, requests, notes, transactions, amount',
      `SELECT number, ${requests}, ${ROWS} * ${Math.floor(requests / 2)}, ${ROWS} * ${Math.ceil(requests / 2)},
              ${ROWS} * ${Math.ceil(requests / 2)}
         FROM generate_series(1, ${count}) n, LATERAL (SELECT n::text AS number)`,
    );
    await of.setStatus('paused');
    return of;
  }

  const args = ({ world }: SupplierOperations, ...chosen: string[]): string[] => [
    ...['imports', 'undo', world.supplier, ...(chosen.length > 0 ? chosen : ['--request-prefix', 'RUN-'])],
    ...['--yes', '--reason', 'test', '--json'],
  ];
  const undo = (of: SupplierOperations, ...chosen: string[]): Promise<CommandEnd> =>
    startCommand(database, args(of, ...chosen)).ended;
  const outcomeOf = ({ stdout }: CommandEnd): UndoOutcome => JSON.parse(stdout) as UndoOutcome;
  const totalsOf = ({ world }: SupplierOperations): Promise<ObservedTotals> =>
    ObservedTotals.of(service, world.supplier);

  /** Expect that each request of the supplier has all of its rows, or is undone and has none. @returns how many are undone */
  async function undoneAsWhole({ world }: SupplierOperations): Promise<number> {
    const requests = await database.sql<{ is_undone: boolean; rows: number; stored: number }>(
      `SELECT r.undone_at IS NOT NULL AND r.has_unseen_documents IS NULL AS is_undone, r.stored,
              (SELECT count(*) FROM transaction t WHERE t.import_supplier_id = r.import_supplier_id
                  AND t.external_account_number = r.external_account_number AND t.import_request_id = r.id)::integer
            + (SELECT count(*) FROM note t WHERE t.import_supplier_id = r.import_supplier_id
                  AND t.external_account_number = r.external_account_number AND t.import_request_id = r.id)::integer AS rows
         FROM import_request r JOIN import_supplier s ON s.id = r.import_supplier_id WHERE s.code = $1`,
      [world.supplier],
    );
    const parted = requests.filter(({ is_undone, rows, stored }) => rows !== (is_undone ? 0 : stored));
    expect(parted).toEqual([]);
    return requests.filter(({ is_undone }) => is_undone).length;
  }

  /**
   * Hold an undo in the middle of its first batch, where it waits for a row of the newest request, or in the middle of its last batch,
   * which is that of the last account.
   */
  async function held<T>(
    { world }: SupplierOperations,
    use: (release: () => Promise<void>) => Promise<T>,
    batch: 'first' | 'last' = 'first',
  ): Promise<T> {
    await using client = await database.connect();
    await client.query('BEGIN');
    await client.query(
      `SELECT FROM transaction t WHERE t.import_supplier_id = $1
          ORDER BY ${batch === 'first' ? '' : 't.external_account_number DESC,'} t.import_request_id DESC LIMIT 1 FOR UPDATE OF t`,
      [await idOf(database, world.supplier)],
    );
    return await use(async () => {
      await client.query('ROLLBACK');
    });
  }

  it('leaves each request complete or undone when its process is killed, and a repeat undoes the rest (V7)', async () => {
    const of = await filled(10, 20);
    const undone = await held(
      of,
      async (release) => {
        const killed = startProcess(database, args(of));
        await database.blocked(1);
        killed.process.kill('SIGKILL');
        await killed.ended;
        const before = await undoneAsWhole(of);
        await release();
        return before;
      },
      'last',
    );
    expect(undone).toBe(150);
    await (await totalsOf(of)).expectAgreement();
    const started = await database.sql(
      `SELECT FROM audit_entry WHERE import_supplier = $1 AND action = 'supplier.undo_imports' AND details ->> 'event' = 'started'`,
      [of.world.supplier],
    );
    expect(started).toHaveLength(1);
    const again = await undo(of);
    const { requests, rows } = outcomeOf(again);
    // The repeat undoes the batch that waited.
    expect([requests, await undoneAsWhole(of)]).toEqual([50, 200]);
    expect(rows.notes + rows.transactions).toBe(requests * ROWS);
    const left = {
      requests: 0,
      loaded_accounts: 0,
      notes: 0,
      transactions: 0,
      amount: '0.00',
      imported: 10,
    };
    expect(await (await totalsOf(of)).expectExact()).toMatchObject(left);
  });

  it('undoes each request once when it runs twice concurrently (V7)', async () => {
    const of = await filled(10, 20);
    expect(await (await totalsOf(of)).expectExact()).toMatchObject({ requests: 200, loaded_accounts: 10 });
    const ends = await Promise.all([undo(of), undo(of), undo(of, '--kind', 'notes')]);
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    const outcomes = ends.map(outcomeOf);
    const sum = (of: (outcome: UndoOutcome) => number): number =>
      outcomes.reduce((all, outcome) => all + of(outcome), 0);
    expect([
      sum(({ requests }) => requests),
      sum(({ rows }) => rows.notes),
      sum(({ rows }) => rows.transactions),
    ]).toEqual([200, 10_000, 10_000]);
    expect(await undoneAsWhole(of)).toBe(200);
    expect(await (await totalsOf(of)).expectExact()).toMatchObject({
      requests: 0,
      loaded_accounts: 0,
      amount: '0.00',
    });
  });

  it.each(IMPORT_QUERIES)(
    'waits for a request that began before the pause, and undoes it too (V7): $query',
    async (query) => {
      importBy(query);
      const of = await filled(1, 1);
      await of.setStatus('ongoing');
      const look = jest.spyOn(RequestsUnderWay.prototype, 'areWriting');
      const transaction = {
        transaction_id: 'late',
        transaction_date: '2026-01-15',
        amount: 1,
        type: 'CHARGE',
      };
      {
        await using client = await database.connect();
        // The request waits for the row that another transaction is inserting.
        await client.query('BEGIN');
        await client.query(
          `INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, import_request_id, transaction_date,
                                  amount, type)
         SELECT id, '1', 'late', uuidv7(), '2026-01-01', 1, 'CHARGE' FROM import_supplier WHERE code = $1`,
          [of.world.supplier],
        );
        const answer = of.post('transactions/create/', '1', { transactions: [transaction] });
        await database.blocked(1);
        await of.setStatus('paused');
        const running = undo(of, '--account', '1');
        await waitUntil('the undo waits', () => Promise.resolve(look.mock.calls.length >= 3));
        expect(await undoneAsWhole(of)).toBe(0);
        await client.query('ROLLBACK');
        expect(await answer).toBe(201);
        expect(outcomeOf(await running)).toMatchObject({ requests: 2, rows: { transactions: ROWS + 1 } });
      }
      expect(await (await totalsOf(of)).expectExact()).toMatchObject({ requests: 0, transactions: 0 });
    },
  );

  it('ends with a sentence when the supplier is resumed, and delays the resumption by at most one batch (V7)', async () => {
    const of = await filled(1, 120);
    const [running, resumed] = await held(of, async (release) => {
      const undoing = undo(of);
      await database.blocked(1);
      const setting = of.setStatus('ongoing');
      await database.blocked(2);
      await release();
      return [undoing, setting] as const;
    });
    await resumed;
    const { exitCode, stdout } = await running;
    const undone = await undoneAsWhole(of);
    expect(undone).toBe(50);
    const { error } = JSON.parse(stdout) as { error: { code: string; detail: string } };
    expect({ exitCode, code: error.code }).toEqual({ exitCode: 1, code: 'import_supplier_not_paused' });
    expect(error.detail).toContain(`${undone} import requests are undone; then run the command again`);
    const entries = await database.sql<{ details: object }>(
      `SELECT details FROM audit_entry WHERE import_supplier = $1 AND action = 'supplier.undo_imports' ORDER BY at`,
      [of.world.supplier],
    );
    expect(entries.at(-1)?.details).toMatchObject({ event: 'ended', outcome: 'failed', requests: undone });
  });

  it('lets other suppliers load meanwhile (V7)', async () => {
    const of = await filled(1, 4);
    const other = new SupplierOperations(service, await service.given.supplier());
    await other.stage(['1']);
    await other.import();
    await held(of, async (release) => {
      const running = undo(of);
      await database.blocked(1);
      expect(await other.post('notes/create/', '1', { notes: [{ body: 'a' }] })).toBe(201);
      const transaction = { transaction_id: 'a', transaction_date: '2026-01-15', amount: 1, type: 'CHARGE' };
      expect(await other.post('transactions/create/', '1', { transactions: [transaction] })).toBe(201);
      await release();
      expect(await running).toMatchObject({ exitCode: 0 });
    });
    expect(await (await totalsOf(other)).expectExact()).toMatchObject({ notes: 1, transactions: 1 });
  });

  it('skips accounts that are being erased: the erasure leaves no row, and the totals agree (V7, S10)', async () => {
    const of = await filled(20, 10);
    const erasures = ['3', '7', '11', '15', '19'].map((number) => of.erase(number));
    const [end] = await Promise.all([undo(of), ...erasures]);
    expect(end).toMatchObject({ exitCode: 0 });
    expect(await undoneAsWhole(of)).toBe(150);
    const left = { requests: 0, loaded_accounts: 0, notes: 0, transactions: 0, amount: '0.00', imported: 15 };
    expect(await (await totalsOf(of)).expectExact()).toMatchObject(left);
  });

  it('makes an erasure that begins during a batch wait for it (V7, S10)', async () => {
    const of = await filled(2, 4);
    await held(of, async (release) => {
      const running = undo(of);
      await database.blocked(1);
      const look = jest.spyOn(RequestsUnderWay.prototype, 'areWriting');
      const erasing = of.erase('1');
      await waitUntil('the erasure waits', () => Promise.resolve(look.mock.calls.length >= 3));
      await release();
      expect(outcomeOf(await running)).toMatchObject({ requests: 8 });
      expect(await erasing).toBe(true);
    });
    expect(await (await totalsOf(of)).expectExact()).toMatchObject({ requests: 0, imported: 1 });
  });

  it('is not subtracted from the totals again when the account is erased (V7, S10, O10)', async () => {
    const of = await filled(2, 4);
    expect(outcomeOf(await undo(of, '--account', '1', '--kind', 'notes'))).toMatchObject({ requests: 2 });
    expect(await (await totalsOf(of)).expectExact()).toMatchObject({ requests: 6, loaded_accounts: 2 });
    expect(await of.erase('1')).toBe(true);
    expect(await (await totalsOf(of)).expectExact()).toMatchObject({
      requests: 4,
      loaded_accounts: 1,
      imported: 1,
    });
  });

  it('leaves out a request of an account whose erasure is interrupted (V7, S10)', async () => {
    const of = await filled(2, 4);
    await database.sql(
      `WITH job AS (
         INSERT INTO erasure (import_supplier_id, external_account_number, reason, run_id)
         SELECT id, '2', 'test', uuidv7() FROM import_supplier WHERE code = $1
         RETURNING import_supplier_id, external_account_number, id
       )
       INSERT INTO account_erasure (import_supplier_id, external_account_number, erasure_id) SELECT * FROM job`,
      [of.world.supplier],
    );
    expect(outcomeOf(await undo(of))).toMatchObject({ requests: 4 });
    expect(await undoneAsWhole(of)).toBe(4);
  });
});
