import { TotalsService } from '../../../../src/capabilities/totals/totals.service.js';
import type {
  CheckedTotals,
  MinuteTotals,
  SupplierTotals,
} from '../../../../src/capabilities/totals/totals.types.js';
import { UnitOfWork } from '../../../../src/infrastructure/database/unit-of-work.js';
import { setUp } from '../../../support/set-up.js';
import { SupplierOperations } from '../../../support/supplier-operations.js';
import { ObservedTotals, startWithoutCarryOver } from '../../../support/totals.js';
import { waitUntil } from '../../../support/wait-until.js';

/** Days inside and before the accounts' open statement period. */
const [INSIDE, OUTSIDE] = ['2026-01-15', '2025-12-01'];

const transaction = (id: string, amount: number, day = INSIDE): object => ({
  ...{ transaction_id: id, transaction_date: day, amount, type: 'CHARGE' },
});
const statement = (id: string): object => ({
  ...{ statement_id: id, bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31' },
});

const service = setUp(() => startWithoutCarryOver({ DATABASE_POOL_MAX: '20' }));

const get = <Service>(token: new (...args: never[]) => Service): Service =>
  service.app.get(token, { strict: false });

async function operations(): Promise<SupplierOperations> {
  return new SupplierOperations(service, await service.given.supplier());
}

/** Accounts `1` to `count`, imported. */
async function imported(count: number): Promise<SupplierOperations> {
  const of = await operations();
  await of.stage(Array.from({ length: count }, (_, index) => `${index + 1}`));
  await of.import();
  return of;
}

const totalsOf = ({ world }: SupplierOperations): Promise<ObservedTotals> =>
  ObservedTotals.of(service, world.supplier);

/** @returns the rows, with which the totals agree */
const agreed = async (of: SupplierOperations): Promise<CheckedTotals> => (await totalsOf(of)).expectExact();

const idOf = async (of: SupplierOperations): Promise<number> => (await totalsOf(of)).id;
const shown = async (of: SupplierOperations): Promise<SupplierTotals> => (await totalsOf(of)).shown();

async function minutes(of: SupplierOperations): Promise<MinuteTotals[]> {
  const id = await idOf(of);
  return get(UnitOfWork).query((tx) => get(TotalsService).minutes(tx, [id], new Date(0), 1));
}

describe('the totals of a supplier', () => {
  it('count the rows of each import request once, and nothing of a repeat or a dry run (R1, O10)', async () => {
    const of = await imported(3);
    const notes = { notes: [{ body: 'One' }, { body: 'Two' }] };
    expect(await of.post('notes/create/', '1', notes)).toBe(201);
    await of.post('notes/create/', '1', notes);
    await of.post('notes/create/', '2', notes, 'dry_run=true');
    await of.post('notes/create/', '1', { notes: [{ body: 'Two' }, { body: 'Three' }] });
    await of.post('historical-statements/create/', '2', { statements: [statement('s-1'), statement('s-2')] });
    const instruction = { vendor: 'SANDBOX', type: 'CARD', reference: 'ok_1' };
    await of.post('payment-instruction/create/', '2', instruction);
    await of.post('payment-instruction/create/', '2', instruction);
    expect(
      await of.post('transactions/create/', '1', { transactions: [transaction('t', 1)] }, 'dry_run=1'),
    ).toBe(201);
    expect(await agreed(of)).toMatchObject({
      ...{ pending: 0, imported: 3, failed: 0, loaded_accounts: 2, requests: 4, amount: '0.00' },
      ...{ notes: 3, transactions: 0, statements: 2, payment_instructions: 1 },
    });
  });

  it('count moved transactions with the pinned note, and forced duplicates (X6, X7, O10)', async () => {
    const of = await imported(2);
    const moved = {
      transactions: [transaction('a', 10.25, OUTSIDE), transaction('b', -0.3), transaction('c', 7)],
    };
    expect(await of.post('transactions/create/', '1', moved)).toBe(201);
    await of.post('transactions/create/', '1', {
      transactions: [transaction('c', 7), transaction('d', 0.01)],
    });
    await of.post(
      'transactions/create/',
      '1',
      { transactions: [transaction('d', 0.01)] },
      'check_previously_added=false',
    );
    const refused = { transactions: [transaction('e', 1, OUTSIDE)] };
    expect(await of.post('transactions/create/', '2', refused, 'force_add_to_current_statement=false')).toBe(
      400,
    );
    expect(await agreed(of)).toMatchObject({
      ...{ loaded_accounts: 1, requests: 3, notes: 1, transactions: 5, amount: '16.97' },
    });
    const recorded = await service.database.sql(
      `SELECT r.items, r.stored, r.amount, r.duration_ms BETWEEN 0 AND 60000 AS has_duration
         FROM import_request r WHERE r.import_supplier_id = $1 ORDER BY r.id`,
      [await idOf(of)],
    );
    expect(recorded).toEqual([
      { items: 3, stored: 3, amount: '16.95', has_duration: true },
      { items: 2, stored: 1, amount: '0.01', has_duration: true },
      { items: 1, stored: 1, amount: '0.01', has_duration: true },
    ]);
  });

  it('count accounts that are staged, staged again, imported, failed and retried (S3, O10)', async () => {
    const of = await operations();
    await of.stage(['1', '2', '3', '3'], ['2']);
    expect(await agreed(of)).toMatchObject({ pending: 3, imported: 0, failed: 0 });
    await of.import();
    expect(await agreed(of)).toMatchObject({ pending: 0, imported: 2, failed: 1 });
    await of.stage(['1', '2', '4']);
    expect(await agreed(of)).toMatchObject({ pending: 2, imported: 2, failed: 0 });
    await of.import(1);
    expect(await agreed(of)).toMatchObject({ pending: 1, imported: 3, failed: 0 });
  });

  it('subtract erased rows, even while the erasure is interrupted, and count a reused number (S10, O10)', async () => {
    const of = await imported(2);
    for (const number of ['1', '2']) {
      const document_paths = [{ document_path: 'a' }, { document_path: 'b' }];
      await of.post('notes/create/', number, { notes: [{ body: 'One', document_paths }, { body: 'Two' }] });
      await of.post('transactions/create/', number, {
        transactions: [transaction('a', 1.5, OUTSIDE), transaction('b', 2)],
      });
      await of.post('historical-statements/create/', number, { statements: [statement('s')] });
    }
    expect(await agreed(of)).toMatchObject({
      imported: 2,
      loaded_accounts: 2,
      requests: 6,
      notes: 6,
      amount: '7.00',
    });
    expect(await of.erase('1', 1)).toBe(false);
    expect(await agreed(of)).toMatchObject({ imported: 1, loaded_accounts: 2, requests: 6 });
    expect(await of.erase('1')).toBe(true);
    const left = {
      loaded_accounts: 1,
      requests: 3,
      notes: 3,
      transactions: 2,
      statements: 1,
      amount: '3.50',
    };
    expect(await agreed(of)).toMatchObject({ imported: 1, ...left });
    await of.stage(['1']);
    await of.import();
    await of.post('notes/create/', '1', { notes: [{ body: 'One' }] });
    expect(await agreed(of)).toMatchObject({
      imported: 2,
      ...left,
      loaded_accounts: 2,
      requests: 4,
      notes: 4,
    });
    await of.stage(['3', '4'], ['4']);
    expect(await of.erase(null)).toBe(true);
    expect(Object.values(await agreed(of)).map(Number)).toEqual(new Array(11).fill(0));
  });

  it('show the time up to which they are complete, and the time of the last request (O10)', async () => {
    const of = await imported(1);
    expect((await shown(of)).lastRequestAt).toBeNull();
    await of.post('notes/create/', '1', { notes: [{ body: 'One' }] });
    const [request] = await service.database.sql<{ stored_at: Date }>(
      'SELECT stored_at FROM import_request WHERE import_supplier_id = $1',
      [await idOf(of)],
    );
    // On several nodes, each has the time at which its part of the query began.
    const storedAtMs = request!.stored_at.getTime();
    const waiting = await shown(of);
    expect(Math.abs(waiting.asOf.getTime() - storedAtMs)).toBeLessThan(1_000);
    await waitUntil('a second has passed', () => Promise.resolve(Date.now() > storedAtMs + 1_000));
    await get(TotalsService).carryOver(await idOf(of));
    const complete = await shown(of);
    expect(complete.asOf.getTime()).toBeGreaterThan(storedAtMs + 900);
    expect(Math.abs(complete.lastRequestAt!.getTime() - storedAtMs)).toBeLessThan(1_000);
  });

  it('show the rows added in each minute, not those removed (O10)', async () => {
    const of = await imported(2);
    await of.stage(['3'], ['3']);
    await of.import();
    await of.post('notes/create/', '1', { notes: [{ body: 'One' }, { body: 'Two' }] });
    await of.post('transactions/create/', '2', { transactions: [transaction('a', 1, OUTSIDE)] });
    await of.erase('1');
    await service.given.changed(
      of.world.supplier,
      'imported, at',
      `VALUES (5, now() - interval '193 hours')`,
    );
    await get(TotalsService).carryOver(await idOf(of));
    const found = await minutes(of);
    expect(found.every(({ minute }) => minute.getTime() % 60_000 === 0)).toBe(true);
    const sum = (of: (one: MinuteTotals) => number): number => found.reduce((all, one) => all + of(one), 0);
    expect([sum((one) => one.requests), sum((one) => one.imported), sum((one) => one.failed)]).toEqual([
      2, 2, 1,
    ]);
    expect([sum((one) => one.items.notes), sum((one) => one.items.transactions)]).toEqual([3, 1]);
  });

  it('replace minutes older than a day with hours, for a week (C16, O10)', async () => {
    const of = await imported(1);
    const hoursAgo = (hours: number, minutes: number): string =>
      `(${minutes + 1}, ${minutes}, date_bin('1 hour', now() - interval '${hours} hours', timestamptz 'epoch') + interval '${minutes} minutes')`;
    const changes = [hoursAgo(30, 0), hoursAgo(30, 7), hoursAgo(30, 59), hoursAgo(23, 7), hoursAgo(200, 3)];
    await service.given.changed(of.world.supplier, 'notes, imported, at', `VALUES ${changes.join(', ')}`);
    const id = await idOf(of);
    await get(TotalsService).carryOver(id);
    await service.given.changed(of.world.supplier, 'notes, at', `VALUES (100, now() - interval '30 hours')`);
    await get(TotalsService).carryOver(id);
    const found = await minutes(of);
    const hour = Math.floor((Date.now() - 30 * 3_600_000) / 3_600_000) * 3_600_000;
    expect(
      found
        .map(({ minute, items, imported }) => [minute.getTime() - hour, items.notes, imported])
        .slice(0, 2),
    ).toEqual([
      [0, 1 + 8 + 60 + 100, 66],
      [7 * 3_600_000 + 7 * 60_000, 8, 7],
    ]);
  });
});
