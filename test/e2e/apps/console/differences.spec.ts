import { TotalsService } from '../../../../src/capabilities/totals/totals.service.js';
import { collapsed, rowsOf, signInAsOperator } from '../../../support/console.js';
import { startService } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { SupplierOperations } from '../../../support/supplier-operations.js';
import { ObservedTotals } from '../../../support/totals.js';

const service = setUp(() => startService({ CONSOLE: 'on' }));
const operator = setUp(() => signInAsOperator(service));

interface Supplier {
  readonly of: SupplierOperations;
  readonly code: string;
  readonly carryOver: () => Promise<void>;
}

async function supplier(): Promise<Supplier> {
  const of = new SupplierOperations(service, await service.given.supplier());
  const { id } = await ObservedTotals.of(service, of.world.supplier);
  const totals = service.app.get(TotalsService, { strict: false });
  return { of, code: of.world.supplier, carryOver: () => totals.carryOver(id) };
}

const pageOf = (code: string): string => `/console/suppliers/${code}/differences`;

describe('control totals in the console', () => {
  it('show which accounts differ, with the expected and the found counts (V6)', async () => {
    const { of, code, carryOver } = await supplier();
    await of.stage(['a', 'b'], [], { notes: 1, transactions: { count: 0, amount: 12345678901234567.5 } });
    await of.stage(['c'], [], { notes: 0 });
    await of.import();
    await of.post('notes/create/', 'a', { notes: [{ body: 'One' }] });
    await carryOver();

    const page = await operator.get(pageOf(code));
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/3 accounts with control totals, as of /);
    expect(page.document.querySelectorAll('thead th').map(collapsed)).toEqual([
      ...['Account', 'Mismatch', 'Notes', 'Control sum'],
    ]);
    expect(rowsOf(page)).toEqual([
      ['a', 'Amount differs', '', '0.00 of 12,345,678,901,234,568.00 -12,345,678,901,234,568.00'],
      ['b', 'Amount differs', '0 of 1 -1', '0.00 of 12,345,678,901,234,568.00 -12,345,678,901,234,568.00'],
    ]);
    const said = '2 accounts have another amount';
    const shown = {
      '': [`${said}; 1 waiting`],
      [`suppliers/${code}`]: [`${said}.`, 'Amount differs 2'],
    };
    for (const [path, texts] of Object.entries(shown)) {
      const { document } = await operator.get(`/console/${path}`);
      const links = document.querySelectorAll(`a[href="${pageOf(code)}?state=wrong_amount"]`);
      expect(links.map((link) => collapsed(link.parentNode!))).toEqual(texts);
    }
    const account = await operator.get(`/console/suppliers/${code}/accounts/b`);
    expect(collapsed(account.document.querySelector('#wrong')!)).toMatch(
      /^Control sum -12,345,678,901,234,568\.00: 0\.00 stored, 12,345,678,901,234,568\.00 expected\. The supplier says/,
    );
    expect(rowsOf(account, '#account table')).toEqual([
      ['Notes', '1', '0', '-1'],
      ['Transactions', '0', '0', 'none'],
      ['Control sum', '12,345,678,901,234,568.00', '0.00', '-12,345,678,901,234,568.00'],
    ]);
    // The account is compared when its page is read.
    await of.post('notes/create/', 'b', { notes: [{ body: 'One' }] });
    const later = await operator.get(`/console/suppliers/${code}/accounts/b`);
    expect(rowsOf(later, '#account table')[0]).toEqual(['Notes', '1', '1', 'none']);

    await of.setControls(['a', 'b'], { notes: 1 });
    await carryOver();
    expect((await operator.get(pageOf(code))).text).toContain('No account differs from its control totals.');
    expect((await operator.get(`/console/suppliers/${code}`)).text).toMatch(/Agree 3/);
  });

  it('are shown as absent if there are none (V6)', async () => {
    const { of, code } = await supplier();
    await of.stage(['a']);
    expect((await operator.get(pageOf(code))).text).toContain('No control totals are set.');
    expect((await operator.get(`/console/suppliers/${code}`)).text).toContain('No control totals are set.');
    expect((await operator.get(`/console/suppliers/${code}/accounts/a`)).text).not.toContain(
      'Control totals',
    );
    expect((await operator.get(pageOf('NO%00BODY'))).status).toBe(404);
  });

  it('are listed with one row per account, by kind of difference, and as a file (V6, C10)', async () => {
    const { of, code, carryOver } = await supplier();
    const expected = { notes: 2, transactions: { count: 1, amount: 20 } };
    await of.stage(['amount', 'half', 'many', 'right'], [], expected);
    await of.stage(['=1+1'], ['=1+1'], { notes: 3 });
    await of.import();
    const charge = (amount: number): object => ({
      transactions: [{ transaction_id: 't', transaction_date: '2026-01-15', amount, type: 'CHARGE' }],
    });
    const notes = (...bodies: string[]): object => ({ notes: bodies.map((body) => ({ body })) });
    for (const number of ['amount', 'many', 'right'])
      await of.post('transactions/create/', number, charge(number === 'amount' ? 0.01 : 20));
    await of.post('notes/create/', 'half', notes('a'));
    await of.post('notes/create/', 'many', notes('a', 'b', 'c'));
    for (const number of ['amount', 'right']) await of.post('notes/create/', number, notes('a', 'b'));
    await carryOver();

    const rows = async (state = ''): Promise<string[][]> =>
      rowsOf(await operator.get(`${pageOf(code)}${state}`));
    expect(await rows()).toEqual([
      ['=1+1', 'Not imported', '0 of 3 -3', '', ''],
      ['amount', 'Amount differs', '', '', '0.01 of 20.00 -19.99'],
      ['half', 'Not complete yet', '1 of 2 -1', '0 of 1 -1', '0.00 of 20.00 -20.00'],
      ['many', 'Too many rows', '3 of 2 +1', '', ''],
    ]);
    expect(await rows('?state=too_many')).toEqual([['many', 'Too many rows', '3 of 2 +1']]);
    expect(await rows('?state=not_imported')).toEqual([['=1+1', 'Not imported', '0 of 3 -3']]);
    expect((await operator.get(`${pageOf(code)}?state=other`)).status).toBe(404);
    const wrong = (await operator.get(pageOf(code))).document.querySelectorAll('td .wrong').map(collapsed);
    expect(wrong).toEqual(['Amount differs', 'Too many rows']);
    const { document } = await operator.get(`/console/suppliers/${code}`);
    expect(document.querySelectorAll('#control li').map(collapsed)).toEqual([
      ...['Agree 1', 'Not imported 1', 'Not complete yet 1', 'Too many rows 1', 'Amount differs 1'],
    ]);
    expect(document.querySelectorAll('#control .wrong').map(collapsed)).toEqual([
      ...['Too many rows 1', 'Amount differs 1'],
    ]);

    const file = await operator.get(`/console/suppliers/${code}/differences.csv`);
    const [head, ...records] = file.html.trimEnd().split('\r\n');
    expect(head).toMatch(/^external_account_number,state,notes_expected,notes_found,notes_difference,/);
    const columns = head!.split(',');
    const cells = records.map((record) => {
      const values = record.split(',');
      return Object.fromEntries(
        columns.flatMap((name, at) => (values[at] === '' ? [] : [[name, values[at]]])),
      );
    });
    expect(cells).toEqual([
      {
        ...{ external_account_number: "'=1+1", state: 'not_imported' },
        ...{ notes_expected: '3', notes_found: '0', notes_difference: '-3' },
      },
      {
        ...{ external_account_number: 'amount', state: 'wrong_amount' },
        ...{ amount_expected: '20', amount_found: '0.01', amount_difference: '-19.99' },
      },
      {
        ...{ external_account_number: 'half', state: 'incomplete' },
        ...{ notes_expected: '2', notes_found: '1', notes_difference: '-1' },
        ...{ transactions_expected: '1', transactions_found: '0', transactions_difference: '-1' },
        ...{ amount_expected: '20', amount_found: '0', amount_difference: '-20' },
      },
      {
        ...{ external_account_number: 'many', state: 'too_many' },
        ...{ notes_expected: '2', notes_found: '3', notes_difference: '1' },
      },
    ]);
    const some = await operator.get(`/console/suppliers/${code}/differences.csv?state=too_many`);
    expect(some.html.trimEnd().split('\r\n')).toHaveLength(2);
    expect(
      await service.database.sql('SELECT action, count FROM viewed WHERE import_supplier = $1', [code]),
    ).toEqual([{ action: 'accounts.download', count: 2 }]);
  });
});
