import fc from 'fast-check';
import { CommandError } from '../../../../src/infrastructure/errors/command-error.js';
import { runs } from '../../../support/runs.js';
import { setUp } from '../../../support/set-up.js';
import { SupplierOperations } from '../../../support/supplier-operations.js';
import { observedSupplier, startWithoutCarryOver } from '../../../support/totals.js';

const service = setUp(() => startWithoutCarryOver({ DATABASE_POOL_MAX: '20' }));
const supplier = (): ReturnType<typeof observedSupplier> => observedSupplier(service);

const numbers = fc.constantFrom('1', '2', '3', '4');
const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 });

/** Control totals of an account, which sometimes match. */
const CONTROL = fc.record({
  notes: fc.constantFrom(0, 1, 2),
  transactions: fc.constantFrom(undefined, { count: 0 }, { count: 1, amount: 0.1 }, { amount: 1.2 }),
});

/** Operations of operators and clients, with few accounts and ids, so that many repeat or replace others. */
const OPERATION = fc.oneof(
  fc.record({
    what: fc.constant('stage' as const),
    accounts: fc.uniqueArray(numbers, { minLength: 1 }),
    wrong: fc.uniqueArray(numbers, { maxLength: 2 }),
    control: fc.option(CONTROL, { nil: undefined }),
  }),
  fc.record({
    what: fc.constant('control' as const),
    accounts: fc.uniqueArray(numbers, { minLength: 1 }),
    control: fc.option(CONTROL),
  }),
  fc.record({ what: fc.constant('import' as const), limit: fc.constantFrom(undefined, 1) }),
  fc.record({
    what: fc.constant('erase' as const),
    number: fc.oneof({ weight: 5, arbitrary: numbers }, { weight: 1, arbitrary: fc.constant(null) }),
    stopAfter: fc.constantFrom(1, Infinity),
  }),
  fc.record({
    what: fc.constant('undo' as const),
    chosen: fc.oneof(
      numbers.map((number) => ['--account', number]),
      fc.constantFrom('notes', 'transactions').map((kind) => ['--kind', kind]),
      fc.constant(['--since', '2020-01-01T00:00:00Z']),
    ),
  }),
  ...[1, 2, 3, 4, 5].map(() =>
    fc.record({
      what: fc.constant('post' as const),
      kind: fc.constantFrom('notes', 'transactions', 'statements', 'instruction'),
      number: numbers,
      ids,
      query: fc.constantFrom('', '', '', 'dry_run=true', 'check_previously_added=false'),
    }),
  ),
);
type Operation = typeof OPERATION extends fc.Arbitrary<infer T> ? T : never;

function payloadOf(kind: string, items: readonly string[]): [path: string, payload: object] {
  switch (kind) {
    case 'notes':
      return [
        'notes/create/',
        { notes: items.map((body) => ({ body, document_paths: [{ document_path: body }] })) },
      ];
    case 'transactions': {
      const day = (id: string): string => (id === 'a' ? '2025-12-01' : '2026-01-15');
      const transactions = items.map((id, n) => ({
        ...{ transaction_id: id, transaction_date: day(id), amount: 0.1 + n, type: 'CHARGE' },
      }));
      return ['transactions/create/', { transactions }];
    }
    case 'statements': {
      const period = { bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31' };
      return [
        'historical-statements/create/',
        { statements: items.map((statement_id) => ({ statement_id, ...period })) },
      ];
    }
    default:
      return [
        'payment-instruction/create/',
        { vendor: 'SANDBOX', type: 'CARD', reference: `ok_${items.join('')}` },
      ];
  }
}

/** @throws any error that is not an expected answer to a client or an operator */
async function carryOut(of: SupplierOperations, operation: Operation): Promise<void> {
  try {
    await attempt(of, operation);
  } catch (error) {
    // For example an import while the supplier is paused, or an undo while it is resumed.
    if (!(error instanceof CommandError)) throw error;
  }
}

async function attempt(of: SupplierOperations, operation: Operation): Promise<void> {
  switch (operation.what) {
    case 'stage':
      return of.stage(operation.accounts, operation.wrong, operation.control);
    case 'control':
      await of.setControls(operation.accounts, operation.control);
      return;
    case 'import':
      await of.import(operation.limit);
      return;
    case 'erase':
      await of.erase(operation.number, operation.stopAfter);
      return;
    case 'undo':
      await of.setStatus('paused');
      await of.undo(...operation.chosen).finally(() => of.setStatus('ongoing'));
      return;
    case 'post': {
      const [path, payload] = payloadOf(operation.kind, operation.ids);
      const query =
        operation.kind === 'transactions' || operation.query === 'dry_run=true' ? operation.query : '';
      expect([201, 400, 404]).toContain(await of.post(path, operation.number, payload, query));
    }
  }
}

describe('the totals of a supplier', () => {
  it('are exact after any concurrent operations, with two processes that carry changes over (O10)', async () => {
    let loaded = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(OPERATION, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 8 }),
        async (groups) => {
          const { of, totals } = await supplier();
          await of.stage(['1', '2', '3', '4'], ['4'], { notes: 1 });
          await of.import();
          let isOver = false;
          const job = async (): Promise<void> => {
            while (!isOver) await totals.service.carryOverSome(totals.id, false);
          };
          const jobs = [job(), job()];
          try {
            for (const group of groups) {
              await Promise.all(group.map((operation) => carryOut(of, operation)));
              await totals.expectAgreement();
            }
          } finally {
            isOver = true;
            await Promise.all(jobs);
          }
          loaded += (await totals.expectExact()).requests;
          const { with: controlled, differ } = (await totals.shown()).control;
          expect([controlled, differ]).toEqual(await controlsOf(totals.id));
        },
      ),
      { numRuns: runs(5) },
    );
    expect(loaded).toBeGreaterThan(0);
  });

  /** Accounts with control totals, and those that differ by their rows. */
  async function controlsOf(id: number): Promise<[number, number]> {
    const count = (table: string): string =>
      `(SELECT count(*) FROM ${table} i WHERE i.import_supplier_id = $1 AND i.external_account_number = c.external_account_number`;
    const [row] = await service.database.sql<{ controlled: number; differing: number }>(
      `SELECT count(*)::integer AS controlled, count(*) FILTER (WHERE
              coalesce(c.notes <> ${count('note')} AND NOT i.is_pinned), false)
           OR coalesce(c.transactions <> ${count('transaction')}), false)
           OR coalesce(c.amount <> (SELECT coalesce(sum(i.amount), 0) FROM transaction i
                 WHERE i.import_supplier_id = $1 AND i.external_account_number = c.external_account_number), false))::integer AS differing
         FROM account_control c WHERE c.import_supplier_id = $1`,
      [id],
    );
    return [row!.controlled, row!.differing];
  }

  it('are carried over while one of the accounts is being erased (O10)', async () => {
    const { of, totals } = await supplier();
    await of.stage(['1', '2']);
    await of.import();
    {
      await using erasing = await service.database.connect();
      await erasing.query('BEGIN');
      await erasing.query(
        `WITH begun AS (
           INSERT INTO erasure (import_supplier_id, id, external_account_number, reason, run_id)
           VALUES ($1, uuidv7(), '1', 'test', uuidv7())
           RETURNING *
         )
         INSERT INTO account_erasure SELECT import_supplier_id, external_account_number, id FROM begun`,
        [totals.id],
      );
      const tables = [...(service.database.isDistributed ? ['imported_account'] : []), 'account_import'];
      for (const table of tables) {
        await erasing.query(
          `DELETE FROM ${table} WHERE import_supplier_id = $1 AND external_account_number = '1'`,
          [totals.id],
        );
      }
      const carried = totals.service.carryOverSome(totals.id, false);
      await service.database.blocked(1);
      await erasing.query('COMMIT');
      await carried;
    }
    const unloaded = `SELECT external_account_number AS number FROM unloaded_account WHERE import_supplier_id = $1`;
    expect(await service.database.sql(unloaded, [totals.id])).toEqual([{ number: '2' }]);
  });

  it('neither lose nor repeat a change when the process that carries it over is killed in the middle (O10)', async () => {
    const { of, totals } = await supplier();
    await of.stage(['1', '2']);
    await of.import();
    await of.post(...postOf('1', 'a'));
    await totals.service.carryOver(totals.id);
    await of.post(...postOf('1', 'b'));
    await of.post(...postOf('2', 'b'));
    const release = await service.database.lock('supplier_minute');
    const killed = totals.service.carryOverSome(totals.id, false);
    const failure = expect(killed).rejects.toThrow();
    const pids = await service.database.blocked(1);
    // Another process does not wait, but a command does.
    expect(await totals.service.carryOverSome(totals.id, false)).toBe(false);
    const command = totals.service.carryOver(totals.id);
    await service.database.blocked(2);
    await service.database.sql('SELECT pg_terminate_backend(pid) FROM unnest($1::integer[]) AS pid', [pids]);
    await failure;
    await release();
    await command;
    expect(await totals.expectExact()).toMatchObject({ requests: 3, notes: 3, loaded_accounts: 2 });
  });

  const postOf = (number: string, body: string): [string, string, object] => [
    ...(['notes/create/', number] as const),
    { notes: [{ body }] },
  ];

  it('are brought up to date in steps when many changes are pending, and are exact in between (O10)', async () => {
    const { totals } = await supplier();
    await withRequests(totals.id);
    await totals.expectAgreement();
    let steps = 1;
    while (await totals.service.carryOverSome(totals.id, true)) {
      steps += 1;
      const { accounts, loadedAccounts, requests } = await totals.shown();
      expect(accounts).toMatchObject({ imported: 8_000 });
      // All requests of an account are carried over together: 6 or 12 each, except for the last 2,000 accounts, which had one before.
      expect(requests).toBeGreaterThanOrEqual(loadedAccounts);
      await totals.expectAgreement();
    }
    expect(steps).toBeGreaterThan(1);
    expect(await totals.expectExact()).toMatchObject({ loaded_accounts: 6_000, requests: 54_000 });
  });

  /** 8,000 accounts, a quarter each: all requests erased, 6 requests, 12 requests, and 9 of 12 remaining. */
  async function withRequests(id: number): Promise<void> {
    const { imports, sql } = service.database;
    await imports(
      `INSERT INTO account_import (import_supplier_id, external_account_number, status, service_account_number,
                                   account_created_at, open_statement_from)
       SELECT $1, n::text, 'imported', next_service_account_number(), now(), '2026-01-01' FROM generate_series(0, 7999) n`,
      [id],
    );
    await sql('INSERT INTO supplier_change (import_supplier_id, imported) VALUES ($1, $2)', [id, 8_000]);
    const stored = 'CASE n % 4 WHEN 0 THEN 0 WHEN 1 THEN 6 WHEN 2 THEN 12 ELSE 9 END';
    await sql(
      `INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored)
       SELECT $1, n::text, uuidv7(), 'notes', uuidv7(), 'test', 1
         FROM generate_series(0, 7999) n, generate_series(1, ${stored})`,
      [id],
    );
    const added = 'CASE n % 4 WHEN 0 THEN 8 WHEN 1 THEN 6 WHEN 2 THEN 12 ELSE 12 END';
    await sql(
      `INSERT INTO supplier_change (import_supplier_id, external_account_number, requests)
       SELECT $1::integer, n::text, 1 FROM generate_series(0, 7999) n, generate_series(1, ${added})
       UNION ALL
       SELECT $1::integer, n::text, CASE n % 4 WHEN 0 THEN -8 ELSE -3 END FROM generate_series(0, 7999) n WHERE n % 4 IN (0, 3)`,
      [id],
    );
  }
});
