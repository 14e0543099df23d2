import { CarryOverJob } from '../../../src/capabilities/totals/carry-over.job.js';
import { startService } from '../../support/service.js';
import { setUp } from '../../support/set-up.js';
import { SupplierOperations } from '../../support/supplier-operations.js';
import { ObservedTotals } from '../../support/totals.js';

const service = setUp(startService);
beforeAll(async () => {
  // Stop the job: the tests carry over changes themselves.
  await service.app.get(CarryOverJob, { strict: false }).onApplicationShutdown();
});

interface Supplier {
  of: SupplierOperations;
  totals: ObservedTotals;
  /** Each account with control totals: its number, the totals, and whether it differs. */
  controls: () => Promise<string[]>;
  post: (number: string, body: string) => Promise<void>;
  charge: (number: string, id: string, amount: number) => Promise<void>;
}

async function supplier(): Promise<Supplier> {
  const of = new SupplierOperations(service, await service.given.supplier());
  const totals = await ObservedTotals.of(service, of.world.supplier);
  const send = async (path: string, number: string, payload: object): Promise<void> => {
    expect(await of.post(path, number, payload)).toBe(201);
  };
  return {
    of,
    totals,
    controls: async () => {
      const rows = await service.database.sql<{ line: string }>(
        `SELECT concat_ws(' ', external_account_number, 'notes', notes, 'transactions', transactions, amount,
                          state) AS line
           FROM account_control WHERE import_supplier_id = $1 ORDER BY external_account_number`,
        [totals.id],
      );
      return rows.map(({ line }) => line);
    },
    post: (number, body) => send('notes/create/', number, { notes: [{ body }] }),
    charge: (number, id, amount) =>
      send('transactions/create/', number, {
        transactions: [{ transaction_id: id, transaction_date: '2025-12-31', amount, type: 'CHARGE' }],
      }),
  };
}

describe('the control totals of an account', () => {
  it('are staged, replaced and removed with it, and kept when it is imported (V6, S7)', async () => {
    const { of, controls } = await supplier();
    await of.stage(['a', 'b', 'c'], ['c'], { notes: 1, transactions: { amount: 12345678901234567.5 } });
    await of.stage(['d'], [], { notes: 0 });
    await of.stage(['e']);
    expect(await controls()).toEqual([
      'a notes 1 transactions 12345678901234568.00 not_imported',
      'b notes 1 transactions 12345678901234568.00 not_imported',
      'c notes 1 transactions 12345678901234568.00 not_imported',
      'd notes 0 transactions agrees',
    ]);
    // Pending accounts together with a new one; then a failed one.
    await of.stage(['b', 'e', 'f'], [], { notes: 2 });
    await of.stage(['a', 'd']);
    await of.import();
    await of.stage(['c'], [], { transactions: { count: 3 } });
    expect(await controls()).toEqual([
      'b notes 2 transactions not_imported',
      'c notes transactions 3 not_imported',
      'e notes 2 transactions not_imported',
      'f notes 2 transactions not_imported',
    ]);
    await (await ObservedTotals.of(service, of.world.supplier)).expectExact();
    // Imported accounts are skipped, whatever the file says.
    await of.stage(['b', 'e'], [], { notes: 7 });
    await of.stage(['f']);
    expect(await controls()).toContain('b notes 2 transactions incomplete');
    expect(await controls()).toContain('e notes 2 transactions incomplete');
    expect(await controls()).toContain('f notes 2 transactions incomplete');
  });

  it('are compared with the rows of its import requests, without pinned notes and undone requests (V6, X7)', async () => {
    const { of, totals, controls, post, charge } = await supplier();
    await of.stage(['a', 'b'], [], { notes: 1, transactions: { count: 2, amount: 0.3 } });
    await of.import();
    await post('a', 'one');
    await charge('a', 'x', 0.1);
    await charge('a', 'y', 0.2);
    await totals.service.carryOver(totals.id);
    expect(await controls()).toEqual([
      'a notes 1 transactions 2 0.30 agrees',
      'b notes 1 transactions 2 0.30 incomplete',
    ]);
    expect((await totals.shown()).control).toMatchObject({ with: 2, differ: 1 });

    await service.database.sql(
      `WITH undone AS (
         UPDATE import_request SET undone_at = now() WHERE import_supplier_id = $1 AND kind = 'notes' RETURNING stored
       ), removed AS (
         DELETE FROM note WHERE import_supplier_id = $1 AND NOT is_pinned
       )
       INSERT INTO supplier_change (import_supplier_id, external_account_number, notes)
       SELECT $1, 'a', -stored FROM undone`,
      [totals.id],
    );
    await totals.service.carryOver(totals.id);
    expect((await controls())[0]).toBe('a notes 1 transactions 2 0.30 incomplete');
    await post('a', 'one');
    await totals.service.carryOver(totals.id);
    expect((await controls())[0]).toBe('a notes 1 transactions 2 0.30 agrees');
  });

  it('are erased with the account, and a new account of the same number has none (V6, S10)', async () => {
    const { of, totals, controls, post } = await supplier();
    await of.stage(['a', 'b'], [], { notes: 1 });
    await of.import();
    await post('a', 'one');
    await totals.service.carryOver(totals.id);
    expect((await totals.shown()).control).toMatchObject({ with: 2, differ: 1 });
    expect(await of.erase('a')).toBe(true);
    await of.stage(['a'], [], { notes: 1 });
    await totals.service.carryOver(totals.id);
    expect(await controls()).toEqual([
      'a notes 1 transactions not_imported',
      'b notes 1 transactions incomplete',
    ]);
    expect(await of.erase(null)).toBe(true);
    await totals.service.carryOver(totals.id);
    expect(await controls()).toEqual([]);
    expect((await totals.shown()).control).toMatchObject({ with: 0, differ: 0 });
  });

  it('are compared by the command that sets them or by the job that carries over a change, never by neither (V6)', async () => {
    const { of, totals, controls, post } = await supplier();
    await of.stage(['a']);
    await of.import();
    await totals.service.carryOver(totals.id);
    // The totals are compared but not committed, because the audit entry waits for a lock.
    const release = await service.database.lock('audit_entry');
    const setting = of.setControls(['a'], { notes: 1 });
    await service.database.blocked(1);
    await post('a', 'one');
    expect(await totals.service.carryOverSome(totals.id, false)).toBe(false);
    expect(await totals.countWaiting()).toBe(1);
    await release();
    await setting;
    expect(await controls()).toEqual(['a notes 1 transactions incomplete']);
    await totals.service.carryOver(totals.id);
    expect(await controls()).toEqual(['a notes 1 transactions agrees']);
  });

  it('are counted again after a change, at most every 20 seconds (V6)', async () => {
    const { of, totals, post } = await supplier();
    const shown = async (): Promise<[number, number, boolean]> => {
      const { asOf, control } = await totals.shown();
      return [control.with, control.differ, control.at?.getTime() === asOf.getTime()];
    };
    const step = (): Promise<boolean> => totals.service.carryOverSome(totals.id, false);
    await of.stage(['a', 'b'], [], { notes: 1 });
    await of.import();
    await step();
    await step();
    expect(await shown()).toEqual([2, 2, true]);
    await post('a', 'one');
    await step();
    await step();
    expect(await shown()).toEqual([2, 2, false]);
    await service.database.sql(
      `UPDATE supplier_total SET controls_counted_at = now() - interval '21 seconds' WHERE import_supplier_id = $1`,
      [totals.id],
    );
    await step();
    expect(await shown()).toEqual([2, 1, true]);
  });

  it('are checked for wrong results, which are corrected (V6, O10)', async () => {
    const { of, totals, controls } = await supplier();
    await of.stage(['a', 'b'], [], { notes: 1 });
    await service.database.sql(
      `UPDATE account_control SET state = 'agrees' WHERE import_supplier_id = $1 AND external_account_number = 'a'`,
      [totals.id],
    );
    expect(await totals.check()).toMatchObject({
      agrees: false,
      wrong: { controls: 1, unloaded: 0 },
    });
    expect(await totals.repair()).toMatchObject({ wrong: { controls: 1 }, isRepaired: true });
    await totals.expectExact();
    expect(await controls()).toEqual([
      'a notes 1 transactions not_imported',
      'b notes 1 transactions not_imported',
    ]);
  });

  it('distinguish what may still come from what is wrong (V6, C12)', async () => {
    const { of, totals, controls, post, charge } = await supplier();
    const expected = { notes: 1, transactions: { count: 2, amount: 0.3 } };
    const numbers = ['complete', 'empty', 'half', 'sum', 'too many', 'wrong and half'];
    await of.stage(numbers, [], expected);
    await of.stage(['a failed one'], ['a failed one'], expected);
    await of.stage(['no number', 'nothing yet'], [], { transactions: { amount: 0.3 } });
    await of.import();
    for (const number of ['complete', 'half', 'sum', 'too many']) await charge(number, 'x', 0.1);
    for (const number of ['complete', 'too many']) await charge(number, 'y', 0.2);
    await charge('sum', 'y', 0.3);
    for (const number of ['complete', 'sum', 'too many', 'half']) await post(number, 'one');
    await post('wrong and half', 'one');
    await post('wrong and half', 'two');
    await charge('too many', 'z', 0.1);
    await charge('no number', 'x', 0.2);
    await totals.service.carryOver(totals.id);
    expect((await controls()).map((line) => line.replace(/ (notes|transactions) .*0\.30/, ':'))).toEqual([
      'a failed one: not_imported',
      'complete: agrees',
      'empty: incomplete',
      'half: incomplete',
      'no number: wrong_amount',
      'nothing yet: incomplete',
      'sum: wrong_amount',
      'too many: too_many',
      'wrong and half: too_many',
    ]);
    expect((await totals.shown()).control).toMatchObject({
      ...{ with: 9, differ: 8, not_imported: 1, incomplete: 3, too_many: 2, wrong_amount: 2 },
    });
    await totals.expectExact();
  });

  it('add up to the expected total of a supplier if every account has a total of the kind (C12)', async () => {
    const { of, totals } = await supplier();
    const expected = async (): Promise<unknown> => {
      await totals.service.carryOver(totals.id);
      return (await totals.shown()).expected;
    };
    const none = { notes: null, transactions: null, statements: null, payment_instructions: null };
    expect(await expected()).toEqual(none);
    await of.stage(['a'], [], { notes: 1, transactions: { count: 2 } });
    await of.stage(['b'], ['b'], { notes: 4, transactions: { count: 3, amount: 7 } });
    expect(await expected()).toEqual({ ...none, notes: 5, transactions: 5 });
    await of.import();
    await of.stage(['c'], [], { notes: 10 });
    expect(await expected()).toEqual({ ...none, notes: 15 });
    await of.stage(['d']);
    expect(await expected()).toEqual(none);
    await of.setControls(['c', 'd'], { notes: 0, transactions: { count: 0 } });
    expect(await expected()).toEqual({ ...none, notes: 5, transactions: 5 });
  });

  it('list the imported accounts without items, including those whose items were undone or erased (C10)', async () => {
    const { of, totals, post } = await supplier();
    const unloaded = async (): Promise<string[]> => {
      await totals.expectExact();
      const rows = await service.database.sql<{ number: string }>(
        'SELECT external_account_number AS number FROM unloaded_account WHERE import_supplier_id = $1 ORDER BY 1',
        [totals.id],
      );
      return rows.map(({ number }) => number);
    };
    await of.stage(['a', 'b', 'c', 'failed'], ['failed']);
    expect(await unloaded()).toEqual([]);
    await of.import();
    await post('c', 'one');
    expect(await unloaded()).toEqual(['a', 'b']);
    await post('a', 'one');
    await post('a', 'two');
    expect(await unloaded()).toEqual(['b']);
    await of.setStatus('paused');
    await of.undo('--account', 'a');
    await of.setStatus('ongoing');
    expect(await unloaded()).toEqual(['a', 'b']);
    expect(await of.erase('a')).toBe(true);
    expect(await of.erase('c')).toBe(true);
    expect(await unloaded()).toEqual(['b']);
    await of.stage(['a']);
    await of.import();
    expect(await unloaded()).toEqual(['a', 'b']);

    await service.database.sql(
      `WITH removed AS (DELETE FROM unloaded_account WHERE external_account_number = 'a' AND import_supplier_id = $1)
       INSERT INTO unloaded_account VALUES ($1, 'failed')`,
      [totals.id],
    );
    expect(await totals.check()).toMatchObject({
      agrees: false,
      wrong: { controls: 0, unloaded: 2 },
    });
    await totals.repair();
    expect(await unloaded()).toEqual(['a', 'b']);
  });
});
