import { TotalsService } from '../../../src/totals/totals.service.js';
import { rowsOf, signInAsAdmin, signInAsOperator, type ConsoleClient } from '../../support/console.js';
import { issueKey } from '../../support/graphql.js';
import { startService, type TestService } from '../../support/service.js';
import { SupplierOperations } from '../../support/supplier-operations.js';
import { ObservedTotals } from '../../support/totals.js';

let service: TestService;
let operator: ConsoleClient;
beforeAll(async () => {
  service = await startService({ CONSOLE: 'on' });
  operator = await signInAsOperator(service);
});
afterAll(() => service.stop());

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
  it('show which accounts differ, what is expected of each part and what is found (V6)', async () => {
    const { of, code, carryOver } = await supplier();
    await of.stage(['a', 'b'], [], { notes: 1, transactions: { count: 0, amount: 12345678901234567.5 } });
    await of.stage(['c'], [], { notes: 0 });
    await of.import();
    await of.post('notes/create/', 'a', { notes: [{ body: 'One' }] });
    await carryOver();

    const page = await operator.get(pageOf(code));
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/2 accounts of 3 differ from the control totals, as of .*\./);
    expect(rowsOf(page)).toEqual([
      ['a', 'Notes', '1', '1', 'agrees'],
      ['a', 'Transactions', '0', '0', 'agrees'],
      ['a', 'Sum of the transactions', '12,345,678,901,234,568.00', '0.00', 'differs'],
      ['b', 'Notes', '1', '0', 'differs'],
      ['b', 'Transactions', '0', '0', 'agrees'],
      ['b', 'Sum of the transactions', '12,345,678,901,234,568.00', '0.00', 'differs'],
    ]);
    for (const path of ['/console/', `/console/suppliers/${code}`]) {
      const { document, text } = await operator.get(path);
      expect(text).toContain('2 accounts of 3 differ from the control totals');
      expect(document.querySelector(`a[href="${pageOf(code)}"]`)).not.toBeNull();
    }
    const account = await operator.get(`/console/suppliers/${code}/accounts/b`);
    expect(rowsOf(account, '#account table')).toEqual([
      ['Notes', '1', '0', 'differs'],
      ['Transactions', '0', '0', 'agrees'],
      ['Sum of the transactions', '12,345,678,901,234,568.00', '0.00', 'differs'],
    ]);
    // The account is compared when its page is read.
    await of.post('notes/create/', 'b', { notes: [{ body: 'One' }] });
    const later = await operator.get(`/console/suppliers/${code}/accounts/b`);
    expect(rowsOf(later, '#account table')[0]).toEqual(['Notes', '1', '1', 'agrees']);

    await of.setControls(['a', 'b'], { notes: 1 });
    await carryOver();
    expect((await operator.get(pageOf(code))).text).toContain('No account differs from its control totals.');
    expect((await operator.get('/console/')).text).toContain(
      'None of 3 accounts with control totals differs',
    );
  });

  it('say so where there are none, and of whom nothing may be seen nothing is there (V6, C3)', async () => {
    const { of, code } = await supplier();
    await of.stage(['a']);
    expect((await operator.get(pageOf(code))).text).toContain(
      'Nothing is known of what the accounts must hold.',
    );
    expect((await operator.get(`/console/suppliers/${code}`)).text).toContain(
      'Nothing is known of what the accounts must hold.',
    );
    expect((await operator.get(`/console/suppliers/${code}/accounts/a`)).text).not.toContain(
      'Control totals',
    );
    const other = await service.given.supplier();
    const { key } = await issueKey(service, other.organisationId);
    const admin = await signInAsAdmin(service, key);
    expect((await admin.get(pageOf(other.supplier))).status).toBe(200);
    const hidden = await admin.get(pageOf(code));
    expect(hidden.status).toBe(404);
    expect(hidden.text).toBe((await admin.get(pageOf('NOBODY'))).text);
    expect((await admin.get(pageOf('NO%00BODY'))).status).toBe(404);
  });

  it('list the accounts that differ page by page (V6)', async () => {
    const { of, code, carryOver } = await supplier();
    const numbers = Array.from({ length: 120 }, (_, n) => `n ${String(n).padStart(3, '0')}`);
    await of.stage(numbers, [], { notes: 1 });
    await of.stage(['n 0001'], [], { notes: 0 });
    await carryOver();
    const found: (string | undefined)[] = [];
    let path: string | undefined = pageOf(code);
    while (path !== undefined) {
      const page = await operator.get(path);
      found.push(...rowsOf(page).map(([number]) => number));
      path = page.document.querySelector('a[rel=next]')?.getAttribute('href');
    }
    expect(found).toEqual(numbers);
    const end = await operator.get(`${pageOf(code)}?after=z`);
    expect(end.text).toContain('No further account differs from its control totals.');
    expect(end.document.querySelector('.pager a')?.getAttribute('href')).toBe(pageOf(code));
  });
});
