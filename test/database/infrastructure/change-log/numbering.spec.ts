import fc from 'fast-check';
import type pg from 'pg';
import { NumberingService } from '../../../../src/infrastructure/change-log/numbering.service.js';
import { runJson } from '../../../support/cli.js';
import { described, expectWithoutGap, readLog, type LoggedChange } from '../../../support/feed-log.js';
import { setUp } from '../../../support/set-up.js';
import { observedSupplier, startWithoutCarryOver } from '../../../support/totals.js';

const service = setUp(() => startWithoutCarryOver({ DATABASE_POOL_MAX: '20' }));
const supplier = (): ReturnType<typeof observedSupplier> => observedSupplier(service);

const log = (id: number, after?: number): Promise<LoggedChange[]> => readLog(service.database, id, after);
const numbering = (): NumberingService => service.app.get(NumberingService, { strict: false });
const note = (body: string): object => ({ notes: [{ body }] });

/** A transaction that records changes by hand and stays open. */
class HeldTransaction {
  private constructor(private readonly client: pg.Client) {}

  static async begin(): Promise<HeldTransaction> {
    const client = await service.database.connect();
    await client.query('BEGIN');
    return new HeldTransaction(client);
  }

  async record(id: number, number: string, type = 'notes.added'): Promise<void> {
    await this.client.query(
      `INSERT INTO supplier_change (import_supplier_id, external_account_number, type, import_request_id, requests)
       VALUES ($1, $2, $3, uuidv7(), 1)`,
      [id, number, type],
    );
  }

  async end(how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    await this.client.query(how);
    await this.client.end();
  }
}

const TRANSACTIONS = 4;
/** The next event: in one of the transactions, a step of a process, or a page of a reader. */
const EVENT = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('record' as const), which: fc.nat(TRANSACTIONS - 1) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constantFrom('COMMIT' as const, 'COMMIT' as const, 'ROLLBACK' as const),
      which: fc.nat(TRANSACTIONS - 1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('step' as const), processes: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('read' as const), which: fc.nat(1) }) },
);

describe('the numbers of changes', () => {
  it('are the same for every reader and without a gap, however commits, steps and reads are interleaved (E3)', async () => {
    let numbered = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(EVENT, { minLength: 8, maxLength: 40 }), async (events) => {
        const { totals } = await supplier();
        const { id } = totals;
        const open = new Map<number, { transaction: HeldTransaction; numbers: string[] }>();
        const committed: string[] = [];
        const readers: LoggedChange[][] = [[], []];
        let count = 0;
        const read = async (which: number): Promise<void> => {
          const reader = readers[which]!;
          reader.push(...(await log(id, reader.length)));
        };
        const end = async (which: number, how: 'COMMIT' | 'ROLLBACK'): Promise<void> => {
          const held = open.get(which);
          if (!held) return;
          await held.transaction.end(how);
          if (how === 'COMMIT') committed.push(...held.numbers);
          open.delete(which);
        };
        for (const event of events) {
          if (event.what === 'record') {
            const held = open.get(event.which) ?? { transaction: await HeldTransaction.begin(), numbers: [] };
            open.set(event.which, held);
            count += 1;
            await held.transaction.record(id, `${count}`);
            held.numbers.push(`${count}`);
          } else if (event.what === 'step') {
            const before = committed.length;
            await Promise.all(
              Array.from({ length: event.processes }, (_, index) =>
                index === 1 ? numbering().numberAll(id) : totals.service.carryOverSome(id, index === 0),
              ),
            );
            // Committed changes are numbered even while other transactions are open.
            expect(await log(id)).toHaveLength(before);
          } else if (event.what === 'read') {
            await read(event.which);
          } else {
            await end(event.which, event.what);
          }
        }
        for (const which of open.keys()) await end(which, 'COMMIT');
        await totals.service.carryOverSome(id, true);
        await Promise.all([read(0), read(1)]);
        const all = await log(id);
        expectWithoutGap(all);
        expect(readers).toEqual([all, all]);
        expect(all.map(({ number }) => number).sort()).toEqual(committed.sort());
        numbered += all.length;
      }),
      { numRuns: 15 },
    );
    expect(numbered).toBeGreaterThan(0);
  });

  it('are assigned while an operator holds the totals, which count the change afterwards (E3)', async () => {
    const { of, totals } = await supplier();
    await of.stage(['1']);
    await of.import();
    await of.post('notes/create/', '1', note('a'));
    const operator = await service.database.connect();
    await totals.service.carryOver(totals.id);
    await of.post('notes/create/', '1', note('b'));
    await operator.query('BEGIN');
    await operator.query('SELECT FROM supplier_total WHERE import_supplier_id = $1 FOR UPDATE', [totals.id]);
    expect(await totals.service.carryOverSome(totals.id, false)).toBe(false);
    expect(described(await log(totals.id))).toEqual(['account.imported 1', 'notes.added 1', 'notes.added 1']);
    expect(await totals.shown()).toMatchObject({ requests: 1 });
    await operator.query('COMMIT');
    await operator.end();
    expect(await totals.expectExact()).toMatchObject({ requests: 2, notes: 2 });
    expect(await log(totals.id)).toHaveLength(3);
  });

  it('follow the order accounts, items, undo, erasure within a step, whatever the times are (E3)', async () => {
    const { totals } = await supplier();
    const transaction = await HeldTransaction.begin();
    const types = [
      'account.erased',
      'import.undone',
      'transactions.added',
      'notes.added',
      'account.imported',
    ];
    for (const type of types) await transaction.record(totals.id, '1', type);
    await transaction.end('COMMIT');
    await totals.service.carryOver(totals.id);
    const changes = (await log(totals.id)).map(({ type }) => type);
    expect([changes[0], changes.slice(1, 3).sort(), changes.slice(3)]).toEqual([
      'account.imported',
      ['notes.added', 'transactions.added'],
      ['import.undone', 'account.erased'],
    ]);
  });

  it('place a repeated import after the undo of the first one, even without a step in between (E3, E4)', async () => {
    const { of, totals } = await supplier();
    await of.stage(['1']);
    await of.import();
    await of.post('notes/create/', '1', note('a'));
    await of.setStatus('paused');
    await of.undo('--account', '1');
    await of.setStatus('ongoing');
    await of.post('notes/create/', '1', note('a'));
    await totals.service.carryOver(totals.id);
    const changes = await log(totals.id);
    expectWithoutGap(changes);
    expect(described(changes)).toEqual([
      'supplier.status_changed paused',
      'account.imported 1',
      'notes.added 1',
      'import.undone 1',
      'supplier.status_changed ongoing',
      'notes.added 1',
    ]);
    const [first, undo] = [changes[2], changes[3]];
    expect(undo?.request).toBe(first?.request);
    expect(changes[5]?.request).not.toBe(first?.request);
  });

  it('are assigned to changes of an account’s period and of a supplier’s status (E2)', async () => {
    const { of, totals } = await supplier();
    const { supplier: code } = of.world;
    await of.stage(['1']);
    await of.import();
    for (const from of ['2026-02-01', '2026-02-01', '2026-03-01']) {
      await runJson(service.database, ['accounts', 'set-period', code, '1', '--from', from]);
    }
    await of.setStatus('complete');
    await totals.service.carryOver(totals.id);
    expect(described(await log(totals.id))).toEqual([
      'supplier.status_changed complete',
      'account.imported 1',
      'account.period_changed 1',
      'account.period_changed 1',
    ]);
  });

  it('begin a new epoch on another timeline of the same server, and none on another server (E7)', async () => {
    const { of, totals } = await supplier();
    await of.stage(['1']);
    await of.import();
    await totals.service.carryOver(totals.id);
    const epochs = (): Promise<object[]> =>
      service.database.sql(
        `SELECT number, continues_after::integer, reason FROM feed_epoch WHERE import_supplier_id = $1 ORDER BY number`,
        [totals.id],
      );
    const first = { number: 1, continues_after: 0, reason: 'the first one' };
    expect(await epochs()).toEqual([first]);
    const change = (columns: string): Promise<unknown> =>
      service.database.sql(`UPDATE feed SET ${columns} WHERE import_supplier_id = $1`, [totals.id]);
    await change('system_identifier = system_identifier + 1');
    await numbering().numberAll(totals.id);
    expect(await epochs()).toEqual([first]);
    await change('timeline = timeline + 1');
    await of.post('notes/create/', '1', note('a'));
    await numbering().numberAll(totals.id);
    await numbering().numberAll(totals.id);
    expect(await epochs()).toEqual([
      first,
      { number: 2, continues_after: 1, reason: 'the database failed over' },
    ]);
    expect(await log(totals.id)).toHaveLength(2);
  });
});
