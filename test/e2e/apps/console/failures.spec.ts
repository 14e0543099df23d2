import { parse } from 'csv-parse/sync';
import type { HTMLElement } from 'node-html-parser';
import {
  collapsed,
  rowsOf,
  signInAsOperator,
  type ConsoleClient,
  type ConsolePage,
  adminOf,
} from '../../../support/console.js';
import { RunsService } from '../../../../src/infrastructure/jobs/runs/runs.service.js';
import { runCommand, runJson } from '../../../support/cli.js';
import {
  startService,
  unique,
  type AccountPair,
  type TestService,
  type World,
} from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { waitUntil } from '../../../support/wait-until.js';

const SCRIPT = '<script>alert(1)</script>';
const FORMULA = '=HYPERLINK("http://example.com","a")';

const SENTENCE = 'The open statement period would begin on … and end on …, before it begins.';

const { jest } = import.meta;

const TRANSACTION = { transaction_id: 't', transaction_date: '2026-01-15', amount: 1, type: 'CHARGE' };
const STATEMENT = {
  statement_id: 's',
  bill_period_from_date: '2025-01-01',
  bill_period_to_date: '2025-01-31',
};

/** A row of the table of causes. */
interface Cause {
  readonly title: string;
  readonly facts: string;
  readonly count: string;
  readonly share: string;
  readonly trend: string;
  readonly advice: string;
  /** The address of its page. */
  readonly address: string;
}

function causesOf({ document }: ConsolePage): Cause[] {
  return document.querySelectorAll('table.causes tbody tr').map((row) => {
    const cells = row.querySelectorAll('td');
    const [count, share, , trend, advice] = cells.map(collapsed);
    return {
      title: collapsed(row.querySelector('th a')!),
      facts: collapsed(row.querySelector('th div')!),
      ...{ count: count!, share: share!, trend: trend!, advice: advice! },
      address: linkOf(row.querySelector('th a')!),
    };
  });
}

/** The examples on the page of a cause: values, requests and accounts. */
function examplesOf({ document }: ConsolePage): string[] {
  return document.querySelectorAll('.examples li').map(collapsed);
}

/** The address of a link. The parser does not decode character references in attributes. */
function linkOf(link: HTMLElement): string {
  return link.getAttribute('href')!.replaceAll('&amp;', '&');
}

function linkIn(element: HTMLElement, text: string): string {
  const link = element.querySelectorAll('a').find((one) => collapsed(one) === text);
  if (link === undefined) throw new Error(`There is no link ${text} in ${element.outerHTML}`);
  return linkOf(link);
}

describe('the page of failures', () => {
  const service = setUp(() => startService({ CONSOLE: 'on', DEMONSTRATION: 'off' }));
  let operator: ConsoleClient;
  let name: string;
  beforeAll(async () => {
    name = unique('operator');
    operator = await signInAsOperator(service, name);
  });

  const pathOf = (code: string, rest = ''): string => `/console/suppliers/${code}/failures${rest}`;

  function send(
    { token }: Pick<World, 'token'>,
    path: string,
    id: string,
    body: object,
  ): ReturnType<TestService['call']> {
    return service.post(path, token, body, { 'x-request-id': id });
  }

  const transaction = (ref: AccountPair, changes: object): object => ({
    ...ref,
    transactions: [{ ...TRANSACTION, ...changes }],
  });

  async function stored(code: string, count: number): Promise<void> {
    await waitUntil('the refusals are stored', async () => {
      const [row] = await service.database.sql<{ count: number }>(
        `SELECT count(*)::integer AS count
           FROM import_refusal r JOIN import_supplier s ON s.id = r.import_supplier_id WHERE s.code = $1`,
        [code],
      );
      return row!.count >= count;
    });
  }

  /** Insert refusals of one account; `at` is their age. */
  async function refused(
    world: World,
    refusals: { account?: string; at?: string; attr?: string; value?: string; id?: string }[],
  ): Promise<void> {
    await service.database.sql(
      `INSERT INTO import_refusal (import_supplier_id, external_account_number, id, at, kind, organisation_id, api_key_id, request_id,
                                   status, code, attr, field_code, value, is_dry_run)
       SELECT s.id, coalesce(r.account, '1'), uuidv7(), now() - coalesce(r.at, '1 second')::interval, 'transactions',
              $4, $2,
              coalesce(r.id, 'r'), 400, 'validation_error', coalesce(r.attr, 'transactions.0.reason'), 'invalid_choice', r.value,
              false
         FROM import_supplier s,
              jsonb_to_recordset($3::jsonb) AS r (account text, at text, attr text, value text, id text)
        WHERE s.code = $1`,
      [world.supplier, world.apiKeyId, JSON.stringify(refusals), world.organisationId],
    );
  }

  /** Insert accounts whose import has failed, with the last days of their periods. */
  async function failed(world: World, ...accounts: [number: string, lastDay: string][]): Promise<void> {
    const lines = accounts.map(
      ([number, to]) => `{"external_account_number":${JSON.stringify(number)},"open_statement_to":"${to}"}\n`,
    );
    await runCommand(service.database, ['accounts', 'stage', world.supplier, '-'], lines.join(''));
    await runJson(service.database, ['accounts', 'import', world.supplier]);
  }

  /** The recorded retries of a supplier, newest first. */
  async function retriesOf(
    supplier: string,
  ): Promise<{ action: string; operator: string; details: Record<string, unknown> }[]> {
    const { json } = await runJson(service.database, ['audit', 'list', '--supplier', supplier]);
    const entries = json as { action: string; operator: string; details: Record<string, unknown> }[];
    return entries.filter(({ action }) => action.endsWith('.retry'));
  }

  describe('for refused requests', () => {
    it('groups those of the four endpoints by endpoint, status, code and field without its indexes (C9)', async () => {
      const world = await service.given.importedAccount({ from: '2026-01-01', to: '2026-01-31' });
      const { ref, supplier } = world;
      const [account, unknown] = [ref.external_account_number, unique('unknown')];
      const paused = { ...TRANSACTION, transaction_date: '2026-03-01' };
      const sent = [
        ['notes/create/', { ...ref, notes: [{ body: 7 }] }],
        ['notes/create/', { ...ref, notes: [{ body: 'a' }, { body: 'b' }, { body: [] }] }],
        ['notes/create/?dry_run=true', { ...ref, notes: [{ body: 7 }] }],
        ['transactions/create/', transaction(ref, { reason: 'FEE' })],
        [
          'transactions/create/',
          {
            ...ref,
            transactions: [
              { ...TRANSACTION, transaction_id: 'u' },
              { ...TRANSACTION, reason: 'FEE' },
            ],
          },
        ],
        ['transactions/create/', transaction(ref, { reason: SCRIPT })],
        ['transactions/create/?force_add_to_current_statement=false', { ...ref, transactions: [paused] }],
        [
          'historical-statements/create/',
          { ...ref, external_account_number: unknown, statements: [STATEMENT] },
        ],
        ['payment-instruction/create/', { ...ref, vendor: 'PAYPAL', reference: 'r', type: 'CARD' }],
      ] as const;
      for (const [index, [path, body]] of sent.entries()) {
        expect([400, 404]).toContain((await send(world, path, `run-${index}`, body)).status);
      }
      await send({ token: 'wrong' }, 'notes/create/', 'run-401', ref);
      await stored(supplier, sent.length);

      const page = await operator.get(pathOf(supplier));
      expect(page.status).toBe(200);
      const causes = causesOf(page);
      const rejected = (what: string, status = '400 validation_error'): string =>
        `Rejected ${what}: ${status}`;
      expect(causes.map(({ title, facts, count }) => [count, title, facts])).toEqual([
        ['3 requests', 'invalid_choice in transactions.reason', rejected('transactions')],
        ['2 requests', 'invalid in notes.body', rejected('notes')],
        ['1 request', 'invalid_choice in vendor', rejected('a payment instruction')],
        [
          '1 request',
          'The account is not imported',
          rejected('request of any endpoint', '404 account_not_found'),
        ],
        [
          '1 request',
          'outside_open_statement_period in transactions.transaction_date',
          rejected('transactions', '400 transaction_import_error'),
        ],
        ['1 request', 'invalid in notes.body', `${rejected('notes')}, dry run`],
      ]);
      expect(causes.map(({ share }) => share)).toEqual([
        ...['33.3 %', '22.2 %', '11.1 %', '11.1 %', '11.1 %', '11.1 %'],
      ]);
      expect(causes[0]!.trend).toBe('rising: 3 in the last day, 0 in the day before');
      expect(causes[0]!.advice).toContain('data-import catalogue add reason VALUE');
      const first = await operator.get(causes[0]!.address);
      expect(examplesOf(first)).toEqual([
        'FEE 2 requests',
        `${SCRIPT} 1 request`,
        `run-5, account ${account}`,
        `run-4, account ${account}`,
        `run-3, account ${account}`,
      ]);
      expect(page.text).toContain('Rejected requests in the last 30 days: 9 (all as CSV)');
      expect(first.text).toContain('Send one of the allowed values, or add this one');
      expect(first.html).toContain('&lt;script>alert(1)&lt;/script>');
      expect(first.html).not.toContain(SCRIPT);
      const notImported = await operator.get(causes[3]!.address);
      expect(examplesOf(notImported)).toEqual([`run-7, account ${unknown}`]);
      expect(linkIn(notImported.document, unknown)).toBe(
        `/console/suppliers/${supplier}/accounts/${unknown}`,
      );
    });

    it('has advice for the field, and names only the value that was probably meant (C9)', async () => {
      const world = await service.given.importedAccount();
      await send(world, 'transactions/create/', unique('r'), transaction(world.ref, { type: 'CHARG' }));
      await stored(world.supplier, 1);
      const [cause] = causesOf(await operator.get(pathOf(world.supplier)));
      expect([cause!.title, cause!.advice]).toEqual([
        'invalid_choice in transactions.type',
        'Send one of the allowed values. Allowed values',
      ]);
      expect(examplesOf(await operator.get(cause!.address))[0]).toBe('CHARG 1 request Did you mean CHARGE?');
      const mistyped = transaction(world.ref, { reason: 'GOOD_WILL_PAYMENT' });
      await send(world, 'transactions/create/', unique('r'), mistyped);
      await stored(world.supplier, 2);
      const causes = causesOf(await operator.get(pathOf(world.supplier)));
      const { address } = causes.find(({ title }) => title.includes('reason'))!;
      const account = `/console/suppliers/${world.supplier}/accounts/${world.ref.external_account_number}`;
      for (const path of [address, account]) {
        const { text } = await operator.get(path);
        expect(text).toMatch(/Did you mean GOODWILL_PAYMENT\?/);
        expect(text).not.toContain('catalogue add');
      }
    });

    it('is shared by all suppliers on one page, each with its count (C2, C9)', async () => {
      const one = await service.given.importedAccount();
      const other = await service.given.importedAccount();
      await service.given.grant(other.supplier, one.organisationId);
      const sent = [one, one, other];
      for (const world of sent) {
        await send(world, 'notes/create/', unique('r'), { ...world.ref, notes: [{ body: 7 }] });
      }
      await failed(other, ['f', '2025-01-01']);
      await stored(one.supplier, 2);
      await stored(other.supplier, 1);
      const page = await (await adminOf(service, one)).get('/console/failures');
      const rows = rowsOf(page, '.causes').map(([, count, suppliers]) => [count, suppliers]);
      expect(rows).toEqual([
        ['2 requests', `${one.supplier} 2`],
        ['1 account', `${other.supplier} 1`],
      ]);
      const all = await operator.get('/console/failures');
      const shared = rowsOf(all, '.causes').map(([, , suppliers]) => suppliers);
      expect(shared.find((text) => text?.includes(`${one.supplier} 2`))).toContain(`${other.supplier} 1`);
      const links = all.document.querySelectorAll('table.causes td a').map(linkOf);
      const address = links.find((link) => link.startsWith(`/console/suppliers/${other.supplier}/`))!;
      expect((await operator.get(address)).status).toBe(200);
      const [cause] = all.document.querySelectorAll('table.causes th a').map(linkOf);
      expect((await operator.get(cause!)).document.querySelector('h1')?.textContent).toBe(
        'Cause of failures',
      );
      expect(all.document.querySelector('h1')?.textContent).toBe('Failures of the last 30 days');
    });

    it('has one cause for accounts that are not imported, with their current states (C9)', async () => {
      const world = await service.given.supplier();
      const { supplier } = world;
      const sent = [
        ['notes/create/', 'pending', { notes: [{ body: 'a' }] }],
        ['notes/create/?dry_run=true', 'pending', { notes: [{ body: 'a' }] }],
        ['transactions/create/', 'done', { transactions: [TRANSACTION] }],
        ['historical-statements/create/', 'nobody', { statements: [STATEMENT] }],
        ['payment-instruction/create/', 'late', { vendor: 'SANDBOX', reference: 'ok_1', type: 'CARD' }],
      ] as const;
      for (const [path, number, items] of sent) {
        const ref = { import_supplier: supplier, external_account_number: number };
        expect((await send(world, path, 'r', { ...ref, ...items })).status).toBe(404);
      }
      await stored(supplier, sent.length);
      await service.given.importedAccount({ world, number: 'done' });
      await failed(world, ['late', '2020-01-31']);
      const line = '{"external_account_number":"pending"}\n';
      await runCommand(service.database, ['accounts', 'stage', supplier, '-'], line);

      const [cause, ...others] = causesOf(await operator.get(pathOf(supplier)));
      expect(others).toMatchObject([{ facts: 'Failed import' }]);
      expect(cause).toMatchObject({ title: 'The account is not imported', count: '5 requests' });
      const page = await operator.get(cause!.address);
      expect(page.document.querySelectorAll('#states li').map(collapsed)).toEqual([
        '1 never staged. Correct the numbers, or stage the accounts with data-import accounts stage.',
        '1 pending. data-import accounts import imports what is pending; then send the requests again.',
        '1 failed. Correct their data.',
        '1 imported since, or the requests have another platform number. Send the requests again.',
      ]);
      expect(linkIn(page.document, '1 pending')).toBe(
        `/console/suppliers/${supplier}/accounts?state=pending`,
      );
      expect(
        rowsOf(page, '#accounts table').map(([number, count, , , state]) => [number, count, state]),
      ).toEqual([
        ['done', '1', 'Imported'],
        ['late', '1', 'Failed'],
        ['nobody', '1', 'Never staged'],
        ['pending', '2', 'Pending'],
      ]);
      const csv = await operator.get(linkIn(page.document, 'CSV'));
      expect(parse(csv.html, { columns: true })).toHaveLength(5);
    });

    it('shows the trend of a cause (C9)', async () => {
      const world = await service.given.supplier();
      await refused(world, [
        ...Array.from({ length: 4 }, () => ({ at: '12 minutes', value: 'x' })),
        { at: '90 minutes', value: 'x' },
        ...Array.from({ length: 2 }, () => ({ at: '100 minutes', attr: 'transactions.0.type' })),
        { at: '2 minutes', attr: 'transactions.0.payment_type' },
      ]);
      const now = (of: string): Promise<ConsolePage> => operator.get(pathOf(world.supplier, `?period=${of}`));
      expect(causesOf(await now('day'))).toMatchObject([
        { trend: 'rising: 4 in the last hour, 1 in the hour before' },
        { trend: 'none: 0 in the last hour, 2 in the hour before' },
        { trend: 'rising: 1 in the last hour, 0 in the hour before' },
      ]);
      expect(causesOf(await now('hour'))).toMatchObject([
        { trend: 'none: 0 in the last 5 minutes, 0 in the 5 minutes before' },
        { trend: 'rising: 1 in the last 5 minutes, 0 in the 5 minutes before' },
      ]);
    });

    it('counts those of the last hour, day or 30 days (C9)', async () => {
      const world = await service.given.supplier();
      const ages = ['59 minutes', '61 minutes', '23 hours', '25 hours', '29 days', '31 days'];
      await refused(
        world,
        ages.map((at) => ({ at, value: at })),
      );
      const page = await operator.get(pathOf(world.supplier));
      const periods = page.document.querySelectorAll('nav.choices a');
      expect(periods.map(collapsed)).toEqual(['Last hour', 'Last day', 'Last 30 days']);
      const counts = await Promise.all(
        periods.map(async (link) => {
          const [cause] = causesOf(await operator.get(link.getAttribute('href')!));
          const examples = examplesOf(await operator.get(cause!.address));
          return [cause!.count, examples.filter((text) => text.includes('request')).length];
        }),
      );
      expect(counts).toEqual([
        ['1 request', 1],
        ['3 requests', 3],
        ['5 requests', 5],
      ]);
      expect((await operator.get(pathOf(world.supplier, '?period=year'))).status).toBe(404);
    });

    it('leads from a group to its accounts, 100 on a page (C9)', async () => {
      const world = await service.given.supplier();
      const numbers = Array.from({ length: 150 }, (_, n) => `N${String(n).padStart(3, '0')}`);
      await refused(world, [
        ...numbers.map((account) => ({ account, value: 'x' })),
        ...[{ account: 'N000', value: 'y', attr: 'transactions.9.reason' }],
        ...[{ account: '', value: 'x' }],
        ...[{ account: 'OTHER', attr: 'transactions.0.type' }],
      ]);
      const [cause] = causesOf(await operator.get(pathOf(world.supplier)));
      const first = await operator.get(cause!.address);
      expect(rowsOf(first, '#accounts table').map(([number, count]) => [number, count])).toEqual([
        ['no account number', '1'],
        ['N000', '2'],
        ...numbers.slice(1, 99).map((number) => [number, '1']),
      ]);
      expect(first.text).toContain('152');
      const second = await operator.get(linkIn(first.document, 'Next page'));
      const numbersOf = (page: ConsolePage): string[] =>
        rowsOf(page, '#accounts table').map(([number = '']) => number);
      expect([...numbersOf(first), ...numbersOf(second)]).toEqual(['no account number', ...numbers]);
      expect(numbersOf(second)).toHaveLength(51);
      expect(second.html).not.toContain('Next page');
      const again = await operator.get(linkIn(second.document, 'First page'));
      expect(numbersOf(again)).toEqual(numbersOf(first));
    });

    it('can be downloaded as a group or as a whole, without formulas (C9)', async () => {
      const world = await service.given.supplier();
      await refused(world, [
        { value: FORMULA, account: '+1', id: '-r', at: '3 s' },
        { value: 'a,"b"', at: '2 s' },
        { attr: 'transactions.3.type', value: '@x', at: '1 s' },
      ]);
      const page = await operator.get(pathOf(world.supplier));
      const all = await operator.get(linkIn(page.document, 'all as CSV'));
      expect(all.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
      expect(all.headers.get('content-disposition')).toBe('attachment; filename="rejected-requests.csv"');
      expect(all.headers.get('cache-control')).toBe('no-store');
      expect(all.html).toMatch(/^at,kind,status,code,[^\r\n]*request_id\r\n/);
      const rows: Record<string, string>[] = parse(all.html, { columns: true });
      const { at, ...oldest } = rows.at(-1)!;
      expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(oldest).toEqual({
        kind: 'transactions',
        status: '400',
        code: 'validation_error',
        field_code: 'invalid_choice',
        attr: 'transactions.0.reason',
        value: `'${FORMULA}`,
        dry_run: 'false',
        external_account_number: "'+1",
        request_id: "'-r",
      });
      expect(rows.map(({ value }) => value)).toEqual(["'@x", 'a,"b"', `'${FORMULA}`]);
      const [cause] = causesOf(page);
      const ofGroup = await operator.get(linkIn((await operator.get(cause!.address)).document, 'CSV'));
      expect(parse(ofGroup.html, { columns: true })).toEqual(rows.slice(1));
      const recorded = await service.database.sql(
        `SELECT action, external_account_number AS number, sum(count)::integer AS count
           FROM viewed WHERE import_supplier = $1 GROUP BY 1, 2`,
        [world.supplier],
      );
      expect(recorded).toEqual([{ action: 'failures.download', number: '', count: 2 }]);
    });

    it('is downloaded completely, however many there are (C9)', async () => {
      const world = await service.given.supplier();
      await refused(
        world,
        Array.from({ length: 2_500 }, (_, n) => ({ id: `r-${n}`, at: `${Math.floor(n / 3)} seconds` })),
      );
      const { html } = await operator.get(pathOf(world.supplier, '/refusals.csv'));
      const rows: Record<string, string>[] = parse(html, { columns: true });
      expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(2_500);
      const times = rows.map(({ at }) => at!);
      expect(times).toEqual([...times].sort().reverse());
    });
  });

  describe('for failed imports', () => {
    it('groups the accounts by the sentence without its days, and leads to them (C9)', async () => {
      const world = await service.given.supplier();
      await failed(world, ['A', '2020-01-31'], ['B', '2020-02-29'], [FORMULA, '2020-02-29']);
      const page = await operator.get(pathOf(world.supplier));
      const [cause] = causesOf(page);
      expect(cause).toMatchObject({
        ...{ title: SENTENCE, facts: 'Failed import', count: '3 accounts', share: '100 %' },
        trend: 'rising: 3 in the last day, 0 in the day before',
      });
      const ofCause = await operator.get(cause!.address);
      expect(examplesOf(ofCause)).toEqual([
        expect.stringMatching(/^=HYPERLINK.*2020-02-29/),
        expect.stringMatching(/^A: The open .*2020-01-31/),
        expect.stringMatching(/^B: The open .*2020-02-29/),
      ]);
      const ofSentence = `?${new URLSearchParams({ cause: SENTENCE }).toString()}`;
      const accounts = `/console/suppliers/${world.supplier}/accounts`;
      expect(linkIn(ofCause.document, '3 accounts')).toBe(accounts + ofSentence);
      const numbers = rowsOf(await operator.get(accounts + ofSentence)).map(([number]) => number);
      expect(numbers).toEqual([FORMULA, 'A', 'B']);
      const csv = await operator.get(linkIn(ofCause.document, 'CSV'));
      const rows: Record<string, string>[] = parse(csv.html, { columns: true });
      expect(rows.map((row) => row.external_account_number)).toEqual([`'${FORMULA}`, 'A', 'B']);
      expect((await operator.get(linkIn(page.document, 'all as CSV'))).html).toBe(csv.html);
    });

    it('are retried after a notice to the operator that data must be staged first (C9, O6)', async () => {
      const world = await service.given.supplier();
      const { supplier } = world;
      await failed(world, ['A', '2020-01-31'], ['B', '2020-02-29'], ['C', '2020-02-29']);
      // As if the import had failed because the period began on a later day.
      await service.database.sql(
        `UPDATE account_import SET open_statement_to = NULL
          WHERE external_account_number = 'C' AND import_supplier_id = (SELECT id FROM import_supplier WHERE code = $1)`,
        [supplier],
      );
      const [cause] = causesOf(await operator.get(pathOf(supplier)));
      const ofCause = await operator.get(cause!.address);
      const address = linkIn(ofCause.document, 'Retry 3 accounts');
      const question = await operator.get(address);
      expect(question.text).toContain('Stage corrected data first.');
      expect(question.document.querySelectorAll('dl div').map(collapsed)).toEqual([
        'Failed accounts3',
        'Would be imported today1',
      ]);
      const form = question.document.querySelector('main form')!;
      expect(form.getAttribute('action')).toBe(pathOf(supplier, '/retry'));
      expect(collapsed(form.querySelector('button')!)).toBe('Retry 3 accounts');
      const fields = { cause: form.querySelector('input[name=cause]')!.getAttribute('value')! };
      const begun = await operator.post(pathOf(supplier, '/retry'), fields, address);
      expect([begun.status, begun.headers.get('location')]).toEqual([303, pathOf(supplier)]);
      await waitUntil('the retry has ended', async () => {
        const { text } = await operator.get(pathOf(supplier));
        return text.includes('3 accounts are pending again. data-import accounts import');
      });
      const none = await operator.get(pathOf(supplier));
      expect(none.text).toContain('no account has failed.');
      expect(none.document.querySelector('#retry')?.getAttribute('hx-get')).toBeUndefined();
      await waitUntil('its end is recorded', async () => (await retriesOf(supplier)).length === 5);
      const retries = await retriesOf(supplier);
      expect(new Set(retries.map((entry) => entry.operator))).toEqual(new Set([name]));
      expect((await operator.get(address)).status).toBe(404);
    });

    it('retries a large cause in the background, and ends with the batch when the service stops (C9, O6)', async () => {
      const world = await service.given.supplier();
      const { supplier } = world;
      await failed(
        world,
        ...Array.from({ length: 2_500 }, (_, index): [string, string] => [
          String(1_000 + index),
          '2020-02-29',
        ]),
      );
      const [found] = causesOf(await operator.get(pathOf(supplier)));
      const fields = { cause: found!.title };
      const stopping = await startService(
        { CONSOLE: 'on', DEMONSTRATION: 'off' },
        { database: service.database },
      );
      const other = await signInAsOperator(stopping);
      // The first batch waits for the lock, but nobody waits for the batch.
      const release = await service.database.lock('audit_entry');
      const begun = await other.post(pathOf(supplier, '/retry'), fields);
      expect([begun.status, begun.headers.get('location')]).toEqual([303, pathOf(supplier)]);
      // Jobs of the two services may wait for other locks.
      const waits = `SELECT FROM pg_locks WHERE relation = 'audit_entry'::regclass AND NOT granted`;
      await waitUntil('the batch waits', async () => (await service.database.sql(waits)).length > 0);
      const page = await operator.get(pathOf(supplier));
      expect(page.text).toMatch(/A retry is running since .*: 0 accounts are pending again so far\./);
      expect(page.document.querySelector('#retry')?.getAttribute('hx-get')).toBe(pathOf(supplier));
      const second = await operator.post(pathOf(supplier, '/retry'), fields);
      expect([second.status, second.text]).toEqual([
        400,
        expect.stringContaining('another retry is already running'),
      ]);
      const isTold = jest.spyOn(stopping.app.get(RunsService, { strict: false }), 'onApplicationShutdown');
      const stopped = stopping.stop();
      await waitUntil('the run is to end', () => isTold.mock.calls.length > 0);
      await release();
      await stopped;
      expect((await operator.get(pathOf(supplier))).text).toMatch(
        /The retry of .* ended early: 1,000 accounts are pending again\./,
      );
      const runs = (await retriesOf(supplier)).filter(({ action }) => action === 'accounts.retry');
      expect(runs).toMatchObject([
        { details: { event: 'ended', outcome: 'interrupted', pending: 1_000 } },
        { details: { event: 'started' } },
      ]);
      await operator.post(pathOf(supplier, '/retry'), fields);
      await waitUntil('the others are pending', async () =>
        (await operator.get(pathOf(supplier))).text.includes(
          '1,500 accounts are pending again. data-import accounts import',
        ),
      );
    });

    it('reports that a retry whose process was killed has ended early, and allows another one (C9)', async () => {
      const world = await service.given.supplier();
      const { supplier } = world;
      await failed(world, ['A', '2020-02-29']);
      await service.database.sql(
        `INSERT INTO supplier_run (import_supplier, kind, id, done, advanced_at) VALUES ($1, 'retry', uuidv7(), 7, now() - interval '2 minutes')`,
        [supplier],
      );
      const page = await operator.get(pathOf(supplier));
      expect(page.text).toMatch(/The retry of .* ended early: 7 accounts are pending again\./);
      const [cause] = causesOf(page);
      await operator.post(pathOf(supplier, '/retry'), { cause: cause!.title });
      await waitUntil('it is pending', async () =>
        (await operator.get(pathOf(supplier))).text.includes(
          '1 account is pending again. data-import accounts import',
        ),
      );
    });
  });

  describe('for others', () => {
    it('has advice without commands for an admin, and counts what another organisation sent (C3, C9)', async () => {
      const world = await service.given.supplier();
      const other = await service.given.organisation();
      await service.given.grant(world.supplier, other.organisationId);
      await refused(world, [{ id: 'own-request', value: 'OWN' }]);
      await refused({ ...world, apiKeyId: other.apiKeyId }, [{ id: 'foreign-request', value: 'FOREIGN' }]);
      await failed(world, ['A', '2020-01-31']);
      const admin = await adminOf(service, world);
      const page = await admin.get(pathOf(world.supplier));
      const [ofRefusals, ofImports] = ['transactions', 'Failed import'].map((fact) =>
        causesOf(page).find(({ facts }) => facts.includes(fact)),
      );
      expect(ofImports!.advice).toBe(
        'Correct the data of these accounts, and give it to the operators of the platform again.',
      );
      expect(examplesOf(await admin.get(ofRefusals!.address))).toEqual([
        'OWN 1 request',
        'own-request, account 1',
      ]);
      expect(rowsOf(page, '#others table').map((cells) => cells[2])).toEqual(['1']);
    });

    it('describes what will appear while there is nothing (C9)', async () => {
      const { supplier } = await service.given.supplier();
      const page = await operator.get(pathOf(supplier));
      expect(page.document.querySelectorAll('p.empty').map(collapsed)).toEqual([
        expect.stringContaining('No request was rejected in the last 30 days, and no account has failed.'),
      ]);
      for (const query of ['source=refusals&cause=1', 'source=imports&cause=x', 'source=imports', 'cause=1'])
        expect((await operator.get(pathOf(supplier, `/cause?${query}`))).status).toBe(404);
      expect((await operator.get(pathOf(supplier, '/imports?cause=a%00b'))).status).toBe(404);
      expect((await operator.get(pathOf(supplier, '/retry'))).status).toBe(404);
    });
  });
});
