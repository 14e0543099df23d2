import { runCommand, runJson } from '../../../support/cli.js';
import { rowsOf, signInAsOperator, type ConsoleClient } from '../../../support/console.js';
import { setUp } from '../../../support/set-up.js';
import type { SupplierOperations } from '../../../support/supplier-operations.js';
import { observedSupplier, startWithoutCarryOver } from '../../../support/totals.js';

const service = setUp(() => startWithoutCarryOver({ CONSOLE: 'on' }));
const operator = setUp(() => signInAsOperator(service));

/** The sentence of a failure, whose days are left out of its cause. */
const CAUSE = 'The open statement period would begin on … and end on …, before it begins.';

interface Supplier {
  readonly of: SupplierOperations;
  readonly code: string;
  readonly address: string;
  readonly carryOver: () => Promise<void>;
  readonly lease: (first: string, last: string) => Promise<void>;
  /** The account numbers on the page for a query. */
  readonly listed: (query?: string, client?: ConsoleClient) => Promise<string[]>;
}

async function supplier(): Promise<Supplier> {
  const { of, totals } = await observedSupplier(service);
  const code = of.world.supplier;
  const address = `/console/suppliers/${code}/accounts`;
  return {
    ...{ of, code, address },
    carryOver: () => totals.service.carryOver(totals.id),
    lease: async (first, last) => {
      await service.database.sql(
        `INSERT INTO import_lease (import_supplier_id, first_number, last_number, held_by, expires_at)
         VALUES ($1, $2, $3, 'test', now() + interval '1 hour')`,
        [totals.id, first, last],
      );
    },
    listed: async (query = '', client = operator) => {
      const page = await client.get(`${address}${query}`);
      expect(page.status).toBe(200);
      return page.document.querySelectorAll('tbody th').map(({ textContent }) => textContent);
    },
  };
}

const note = (body: string): object => ({ notes: [{ body }] });

/** A supplier with accounts of each state, with and without items, that agree and differ. */
async function mixed(): Promise<Supplier> {
  const made = await supplier();
  const { of, carryOver, lease } = made;
  await of.stage(['agrees', 'empty', 'half', 'undone'], [], { notes: 1 });
  await of.stage(['bad 1', 'bad 2'], ['bad 1', 'bad 2'], { notes: 1 });
  await of.stage(['free']);
  await of.import();
  await of.stage(['p 1', 'p 2', 'p 3']);
  await lease('p 2', 'p 2');
  await of.post('notes/create/', 'agrees', note('a'));
  await of.post('notes/create/', 'half', note('a'));
  await of.post('notes/create/', 'half', note('b'));
  await of.post('notes/create/', 'undone', note('a'));
  await of.setStatus('paused');
  await of.undo('--account', 'undone');
  await of.setStatus('ongoing');
  await carryOver();
  return made;
}

/** Filters, as a query and as options of the command, with the numbers that they list. */
const FILTERS: readonly (readonly [query: string, options: readonly string[], numbers: readonly string[]])[] =
  [
    ['', [], ['agrees', 'bad 1', 'bad 2', 'empty', 'free', 'half', 'p 1', 'p 2', 'p 3', 'undone']],
    ['?state=pending', ['--state', 'pending'], ['p 1', 'p 3']],
    ['?state=in_progress', ['--state', 'in_progress'], ['p 2']],
    ['?state=failed', ['--state', 'failed'], ['bad 1', 'bad 2']],
    ['?state=imported', ['--state', 'imported'], ['agrees', 'empty', 'free', 'half', 'undone']],
    ['?load=some', ['--load', 'some'], ['agrees', 'half']],
    ['?load=none', ['--load', 'none'], ['empty', 'free', 'undone']],
    ['?differs=1', ['--differs'], ['bad 1', 'bad 2', 'empty', 'half', 'undone']],
    ['?differs=1&state=imported', ['--differs', '--state', 'imported'], ['empty', 'half', 'undone']],
    ['?differs=1&state=failed', ['--differs', '--state', 'failed'], ['bad 1', 'bad 2']],
    ['?differs=1&load=none', ['--differs', '--load', 'none'], ['empty', 'undone']],
    ['?differs=1&load=some', ['--differs', '--load', 'some'], ['half']],
    ['?state=failed&load=some', ['--state', 'failed', '--load', 'some'], []],
    ['?state=in_progress&load=none', ['--state', 'in_progress', '--load', 'none'], []],
    [`?cause=${encodeURIComponent(CAUSE)}`, ['--cause', CAUSE], ['bad 1', 'bad 2']],
    [`?cause=${encodeURIComponent(CAUSE)}&state=pending`, ['--cause', CAUSE, '--state', 'pending'], []],
    ['?cause=other', ['--cause', 'other'], []],
    [
      '?state=&load=&differs=&cause=',
      [],
      ['agrees', 'bad 1', 'bad 2', 'empty', 'free', 'half', 'p 1', 'p 2', 'p 3', 'undone'],
    ],
  ];

describe('the accounts of a supplier', () => {
  it('are listed by state, items, control totals and failure, on the page, in the file and by the command (C10)', async () => {
    const { code, address, listed } = await mixed();
    for (const [query, options, numbers] of FILTERS) {
      expect({ query, listed: await listed(query) }).toEqual({ query, listed: numbers });
      const file = await operator.get(`${address}.csv${query}`);
      const lines = file.html.trimEnd().split('\r\n').slice(1);
      expect({ query, lines: lines.map((line) => line.split(',')[0]) }).toEqual({ query, lines: numbers });
      const { json } = await runJson(service.database, ['accounts', 'list', code, ...options]);
      const found = (json as { external_account_number: string }[]).map((row) => row.external_account_number);
      expect({ options, found }).toEqual({ options, found: numbers });
    }
  });

  it('are shown with all their details, the same in the file and by the command (C10)', async () => {
    const { code, address } = await mixed();
    const rows = rowsOf(await operator.get(`${address}?differs=1`));
    expect(rows.map(([number, state, , , imports, , control]) => [number, state, imports, control])).toEqual([
      ['bad 1', 'Failed', '0', 'Not imported'],
      ['bad 2', 'Failed', '0', 'Not imported'],
      ['empty', 'Imported', '0', 'Not complete yet'],
      ['half', 'Imported', '2', 'Too many rows'],
      ['undone', 'Imported', '0', 'Not complete yet'],
    ]);
    expect(rows[0]!.at(-1)).toMatch(/^The open statement period would begin on /);
    const { json } = await runJson(service.database, ['accounts', 'list', code, '--load', 'some']);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string;
    expect((json as object[])[1]).toEqual({
      external_account_number: 'half',
      status: 'imported',
      service_account_number: expect.stringMatching(/^A-/) as string,
      ...{ staged_at: time, account_created_at: time, requests: 2, last_request_at: time },
      ...{ control: 'too_many', failure: null, failed_at: null },
    });
    const { stdout } = await runCommand(service.database, ['accounts', 'list', code, '--load', 'some']);
    expect(stdout.replaceAll(/\d{4}-\S+Z/g, 'TIME'.padEnd(20)).split('\n')).toEqual([
      'Number  State     Requests  Last stored           Control totals  Failure',
      'agrees  imported         1  TIME                  agrees',
      'half    imported         2  TIME                  too many',
      '',
    ]);
    for (const [limit, numbers] of [
      ['1', ['agrees']],
      ['9', ['agrees', 'half']],
    ] as const) {
      const some = ['accounts', 'list', code, '--load', 'some', '--limit', limit];
      const first = (await runJson(service.database, some)).json as { external_account_number: string }[];
      expect(first.map((one) => one.external_account_number)).toEqual(numbers);
    }
    const nothing = await runCommand(service.database, ['accounts', 'list', code, '--cause', 'other']);
    expect(nothing.stdout).toBe('No account was found.\n');
  });

  it('are listed 100 a page, page by page, with the filters in the address (C10)', async () => {
    const { of, address, carryOver } = await supplier();
    const numbers = Array.from({ length: 230 }, (_, n) => `n ${String(n).padStart(3, '0')}`);
    await of.stage(numbers, [], { notes: 1 });
    await of.import();
    await carryOver();
    for (const query of ['', '?state=imported', '?load=none', '?differs=1']) {
      const found = (await operator.pages(`${address}${query}`)).map(({ document }) =>
        document.querySelectorAll('tbody th').map(({ textContent }) => textContent),
      );
      expect({ query, pages: found.map(({ length }) => length) }).toEqual({ query, pages: [100, 100, 30] });
      expect(found.flat()).toEqual(numbers);
    }
    expect((await operator.get(`${address}?after=z`)).text).toContain('No more accounts.');
  });

  it.each([
    '?state=other',
    '?state=pending&state=failed',
    '?load=all',
    '?differs=yes',
    '?cause=a&cause=b',
    '?after=%00',
  ])('are not found for the address %s (C10)', async (query) => {
    const { address } = await supplier();
    expect((await operator.get(`${address}${query}`)).status).toBe(404);
  });

  it('are downloaded as a file, which is recorded (C10, O6)', async () => {
    const { code, address } = await mixed();
    const file = await operator.get(`${address}.csv?state=failed`);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="accounts.csv"');
    expect(file.html.split('\r\n')[0]).toBe(
      'external_account_number,state,service_account_number,staged_at,account_created_at,requests,last_request_at,control,failure,failed_at',
    );
    expect(
      await service.database.sql(
        'SELECT action, external_account_number AS number, count FROM viewed WHERE import_supplier = $1',
        [code],
      ),
    ).toEqual([{ action: 'accounts.download', number: '', count: 1 }]);
  });

  it('are as many as the overview and the page of a supplier count (C10)', async () => {
    const { code, address, listed } = await mixed();
    const queries = ['?state=imported', '?load=some', '?state=failed'];
    const shown = { '/console/': queries.slice(0, 2), [`/console/suppliers/${code}`]: queries };
    for (const [path, expected] of Object.entries(shown)) {
      const { document } = await operator.get(path);
      const links = document
        .querySelectorAll(`a[href^="${address}?"]`)
        .map((link) => link.getAttribute('href')!.slice(address.length));
      expect(links).toEqual(expect.arrayContaining(expected));
      for (const query of new Set(links)) expect({ query, listed: await listed(query) }).toBeDefined();
    }
  });
});
