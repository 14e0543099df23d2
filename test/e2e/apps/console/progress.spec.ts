import { cellsOf, runCommand, runJson } from '../../../support/cli.js';
import { collapsed, signInAsOperator } from '../../../support/console.js';
import { setUp } from '../../../support/set-up.js';
import type { SupplierOperations } from '../../../support/supplier-operations.js';
import { observedSupplier, startWithoutCarryOver } from '../../../support/totals.js';

const service = setUp(() => startWithoutCarryOver({ CONSOLE: 'on', PLATFORM_TIMEZONE: 'Europe/London' }));
const operator = setUp(() => signInAsOperator(service));

interface Supplier {
  readonly of: SupplierOperations;
  readonly code: string;
  readonly id: number;
  readonly carryOver: () => Promise<void>;
  /** The texts about rows and forecast on the page of the supplier. */
  readonly said: () => Promise<{ rows: string; forecast: string }>;
  /** The same facts by the command. */
  readonly status: () => Promise<Record<string, unknown>>;
}

async function supplier(): Promise<Supplier> {
  const { of, totals } = await observedSupplier(service);
  const code = of.world.supplier;
  return {
    ...{ of, code, id: totals.id },
    carryOver: () => totals.service.carryOver(totals.id),
    said: async () => {
      const { document } = await operator.get(`/console/suppliers/${code}`);
      const share = document.querySelector('#items progress + p');
      return {
        rows: collapsed(share ?? document.querySelector('#accounts p:last-child')!),
        forecast: collapsed(document.querySelector('p.forecast')!),
      };
    },
    status: async () =>
      (await runJson(service.database, ['migration', 'status', code])).json as Record<string, unknown>,
  };
}

const notes = (...bodies: string[]): object => ({ notes: bodies.map((body) => ({ body })) });

describe('the progress of a supplier', () => {
  it('is that of the rows, not that of the accounts with items (C12)', async () => {
    const { of, carryOver, said, status } = await supplier();
    const numbers = ['1', '2', '3', '4'];
    await of.stage(numbers, [], { notes: 25 });
    await of.import();
    for (const number of numbers) await of.post('notes/create/', number, notes('a', 'b'));
    await carryOver();
    expect(await said()).toMatchObject({
      rows: '8 %: 8 of 100 expected rows (notes)',
      forecast: expect.stringMatching(/^Expected rows loaded at .*, at the present rate\.$/) as string,
    });
    expect(await status()).toMatchObject({
      loaded_accounts: 4,
      rows: {
        stored: 8,
        expected: 100,
        percent: 8,
        kinds: { notes: { stored: 8, expected: 100, percent: 8 } },
      },
      control: { with: 4, agree: 0, differ: 4, not_imported: 0, incomplete: 4, too_many: 0, wrong_amount: 0 },
      forecast: { kind: 'at', of: 'rows', at: expect.stringMatching(/Z$/) as string },
    });
  });

  it('has no percentage if an account lacks control totals, and shows how many accounts have items (C12)', async () => {
    const { of, carryOver, said, status } = await supplier();
    await of.stage(['1'], [], { notes: 1 });
    await of.stage(['2', '3']);
    await of.import();
    await of.post('notes/create/', '1', notes('a'));
    await of.post('notes/create/', '2', notes('a'));
    await carryOver();
    expect(await said()).toEqual({
      rows: 'With at least one import 2, imported without one 1',
      forecast: 'No account is pending.',
    });
    expect(await status()).toMatchObject({
      loaded_accounts: 2,
      rows: null,
      forecast: { kind: 'all_imported' },
    });
  });

  it('is less than 100 % while an account differs, and excludes the service’s own notes (C12, X7)', async () => {
    const { of, carryOver, said, status } = await supplier();
    await of.stage(['1', '2'], [], { notes: 1, transactions: { count: 1 } });
    await of.import();
    const moved = { transaction_date: '2025-01-01', type: 'CHARGE', amount: 1, transaction_id: 't' };
    for (const number of ['1', '2']) {
      expect(await of.post('transactions/create/', number, { transactions: [moved] })).toBe(201);
    }
    await carryOver();
    expect((await said()).rows).toBe('50 %: 2 of 4 expected rows (notes, transactions)');
    await of.post('notes/create/', '1', notes('a', 'b'));
    await carryOver();
    expect((await said()).rows).toBe('99 %: 4 of 4 expected rows (notes, transactions)');
    await of.setControls(['1'], { notes: 2, transactions: { count: 1 } });
    await of.post('notes/create/', '2', notes('a'));
    await carryOver();
    expect(await said()).toEqual({
      rows: '100 %: 5 of 5 expected rows (notes, transactions)',
      forecast: 'All expected rows are loaded.',
    });
    expect(await status()).toMatchObject({
      control: { agree: 2, differ: 0 },
      forecast: { kind: 'all_loaded' },
    });
  });

  it('shows since when nothing has happened instead of a shifting forecast, with the alert (C12)', async () => {
    const { of, id, code, carryOver, said, status } = await supplier();
    await of.stage(['1', '2', '3']);
    await of.import(1);
    await carryOver();
    expect((await said()).forecast).toMatch(/^Pending accounts imported at .*, at the present rate\.$/);
    const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 25 * 60_000);
    await service.database.sql('UPDATE supplier_minute SET minute = $2 WHERE import_supplier_id = $1', [
      id,
      minute,
    ]);
    await service.database.sql(
      `UPDATE account_import SET staged_at = now() - interval '1 hour' WHERE import_supplier_id = $1`,
      [id],
    );
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', timeStyle: 'short' }).format(
      minute,
    );
    expect((await said()).forecast).toMatch(
      new RegExp(`^No account imported since (.*, )?${clock} (GMT|BST)\\.$`),
    );
    const { text } = await operator.get(`/console/suppliers/${code}`);
    expect(text).toMatch(/no account was imported for 2[45] minutes, and 2 accounts are pending\./);
    expect(await status()).toMatchObject({
      forecast: { kind: 'stopped', of: 'accounts', last: minute.toISOString().replace('.000', '') },
    });
    const shown = cellsOf((await runCommand(service.database, ['migration', 'status', code])).stdout);
    expect(shown).toContainEqual([
      'Forecast',
      `No account imported since ${minute.toISOString().replace('.000', '')}.`,
    ]);
  });
});
