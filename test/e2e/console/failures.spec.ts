import { parse } from 'csv-parse/sync';
import type { HTMLElement } from 'node-html-parser';
import {
  collapsed,
  rowsOf,
  signInAsAdmin,
  signInAsOperator,
  type ConsoleClient,
  type ConsolePage,
} from '../../support/console.js';
import { runCommand, runJson } from '../../support/cli.js';
import { issueKey } from '../../support/graphql.js';
import {
  startService,
  unique,
  type AccountPair,
  type TestService,
  type World,
} from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';

const SCRIPT = '<script>alert(1)</script>';
const FORMULA = '=HYPERLINK("http://example.com","a")';

const TRANSACTION = { transaction_id: 't', transaction_date: '2026-01-15', amount: 1, type: 'CHARGE' };
const STATEMENT = {
  statement_id: 's',
  bill_period_from_date: '2025-01-01',
  bill_period_to_date: '2025-01-31',
};

/** What an article of the page says. */
interface Cause {
  readonly title: string;
  readonly facts: string;
  readonly count: string;
  /** Refused values and requests. */
  readonly examples: string[];
  readonly article: HTMLElement;
}

function causesOf({ document }: ConsolePage): Cause[] {
  return document.querySelectorAll('article.cause').map((article) => ({
    title: collapsed(article.querySelector('h3')!),
    facts: collapsed(article.querySelector('.facts') ?? article.querySelector('.statistics')!),
    count: collapsed(article.querySelector('.statistics dd')!),
    examples: article.querySelectorAll('li').map(collapsed),
    article,
  }));
}

function linkIn(element: HTMLElement, text: string): string {
  const link = element.querySelectorAll('a').find((one) => collapsed(one) === text);
  const href = link?.getAttribute('href');
  if (href === undefined) throw new Error(`There is no link ${text} in ${element.outerHTML}`);
  // The parser leaves references as they are in attributes.
  return href.replaceAll('&amp;', '&');
}

describe('the page of failures', () => {
  let service: TestService;
  let operator: ConsoleClient;
  let name: string;
  beforeAll(async () => {
    service = await startService({ CONSOLE: 'on', DEMONSTRATION: 'off' });
    name = unique('operator');
    operator = await signInAsOperator(service, name);
  });
  afterAll(() => service.stop());

  const pathOf = (code: string, rest = ''): string => `/console/suppliers/${code}/failures${rest}`;

  function send(
    { token }: Pick<World, 'token'>,
    path: string,
    id: string,
    body: object,
  ): ReturnType<TestService['call']> {
    return service.call(path, {
      method: 'POST',
      headers: { authorization: `Token ${token}`, 'content-type': 'application/json', 'x-request-id': id },
      body: JSON.stringify(body),
    });
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

  /** Refusals of one account, without sending them; `at` is how long ago. */
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

  /** Accounts whose import has failed, with the last days of their periods. */
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
      expect(causes.map(({ title, facts, count }) => [count, title, facts])).toEqual([
        ['3', 'invalid_choice in transactions.reason', 'transactions/create/ 400 validation_error'],
        ['2', 'invalid in notes.body', 'notes/create/ 400 validation_error'],
        ...[
          ['1', 'invalid_choice in vendor', 'payment-instruction/create/ 400 validation_error'],
          ['1', 'account_not_found', 'historical-statements/create/ 404 account_not_found'],
          [
            '1',
            'outside_open_statement_period in transactions.transaction_date',
            'transactions/create/ 400 transaction_import_error',
          ],
          ['1', 'invalid in notes.body', 'notes/create/ 400 validation_error dry run'],
        ],
      ]);
      expect(causes[0]!.examples).toEqual([
        'FEE 2 requests',
        `${SCRIPT} 1 request`,
        `run-5, account ${account}`,
        `run-4, account ${account}`,
        `run-3, account ${account}`,
      ]);
      expect(causes[3]!.examples).toEqual([`run-7, account ${unknown}`]);
      expect(page.text).toContain('9 requests with 6 causes');
      expect(collapsed(causes[0]!.article)).toContain('Send one of the allowed values.');
      expect(page.html).toContain('&lt;script>alert(1)&lt;/script>');
      expect(page.html).not.toContain(SCRIPT);
      expect(linkIn(causes[3]!.article, unknown)).toBe(`/console/suppliers/${supplier}/accounts/${unknown}`);
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
          return [cause!.count, cause!.examples.filter((text) => text.includes('request')).length];
        }),
      );
      expect(counts).toEqual([
        ['1', 1],
        ['3', 3],
        ['5', 5],
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
      const first = await operator.get(linkIn(cause!.article, 'Accounts'));
      expect(rowsOf(first).slice(0, 3)).toEqual([
        ['no account number', '1', expect.any(String), expect.any(String)],
        ['N000', '2', expect.any(String), expect.any(String)],
        ['N001', '1', expect.any(String), expect.any(String)],
      ]);
      expect(first.text).toContain('152');
      const second = await operator.get(linkIn(first.document, 'Next page'));
      expect([...rowsOf(first), ...rowsOf(second)].map(([number]) => number)).toEqual([
        'no account number',
        ...numbers,
      ]);
      expect(rowsOf(second)).toHaveLength(51);
      expect(second.html).not.toContain('Next page');
      expect(rowsOf(await operator.get(linkIn(second.document, 'First page')))).toEqual(rowsOf(first));
    });

    it('can be downloaded, a group or everything, without formulas (C9)', async () => {
      const world = await service.given.supplier();
      await refused(world, [
        { value: FORMULA, account: '+1', id: '-r', at: '3 s' },
        { value: 'a,"b"', at: '2 s' },
        { attr: 'transactions.3.type', value: '@x', at: '1 s' },
      ]);
      const page = await operator.get(pathOf(world.supplier));
      const all = await operator.get(linkIn(page.document, 'All refused requests as CSV'));
      expect(all.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
      expect(all.headers.get('content-disposition')).toBe('attachment; filename="refused-requests.csv"');
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
      const ofGroup = await operator.get(linkIn(cause!.article, 'CSV'));
      expect(parse(ofGroup.html, { columns: true })).toEqual(rows.slice(1));
      const recorded = await service.database.sql(
        `SELECT action, external_account_number AS number, sum(count)::integer AS count
           FROM viewed WHERE import_supplier = $1 GROUP BY 1, 2`,
        [world.supplier],
      );
      expect(recorded).toEqual([{ action: 'failures.download', number: '', count: 2 }]);
    });

    it('is downloaded whole, however many there are (C9)', async () => {
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
        title: 'The open statement period would begin on … and end on …, before it begins.',
        count: '3',
        examples: [FORMULA, 'A', 'B'],
      });
      const accounts = await operator.get(linkIn(cause!.article, 'Accounts'));
      expect(rowsOf(accounts)).toEqual([
        [FORMULA, expect.any(String), expect.stringContaining('2020-02-29'), 'Retry'],
        ['A', expect.any(String), expect.stringContaining('2020-01-31'), 'Retry'],
        ['B', expect.any(String), expect.stringContaining('2020-02-29'), 'Retry'],
      ]);
      const csv = await operator.get(linkIn(cause!.article, 'CSV'));
      expect(csv.headers.get('content-disposition')).toBe('attachment; filename="failed-imports.csv"');
      const rows: Record<string, string>[] = parse(csv.html, { columns: true });
      expect(rows.map((row) => row.external_account_number)).toEqual([`'${FORMULA}`, 'A', 'B']);
      expect((await operator.get(linkIn(page.document, 'All failed accounts as CSV'))).html).toBe(csv.html);
    });

    it('puts one account or a group back to pending, by the name of the operator (C9, O6)', async () => {
      const world = await service.given.supplier();
      const { supplier } = world;
      await failed(world, ['A', '2020-01-31'], ['B', '2020-02-29'], ['C', '2020-02-29']);
      const path = pathOf(supplier, '/retry');
      const one = await operator.post(path, { number: 'B' }, pathOf(supplier));
      expect([one.status, one.headers.get('location')]).toEqual([303, pathOf(supplier, '?retried=1')]);
      const page = await operator.get(pathOf(supplier, '?retried=1'));
      expect(page.text).toContain('1 account is pending again.');
      const [cause] = causesOf(page);
      expect(cause).toMatchObject({ count: '2', examples: ['A', 'C'] });
      const fields = Object.fromEntries(
        cause!.article
          .querySelectorAll('form input')
          .map((input) => [input.getAttribute('name')!, input.getAttribute('value')!]),
      );
      expect(cause!.article.querySelector('form')?.getAttribute('action')).toBe(path);
      const group = await operator.post(path, { cause: fields.cause! }, pathOf(supplier));
      expect(group.headers.get('location')).toBe(pathOf(supplier));
      await waitUntil('the retry has ended', async () => {
        const { text } = await operator.get(pathOf(supplier));
        return text.includes('2 accounts are pending again. accounts import');
      });
      const none = await operator.get(pathOf(supplier));
      expect(none.text).toContain('No account is failed.');
      expect(none.document.querySelector('#retry')?.getAttribute('hx-get')).toBeUndefined();
      await waitUntil('its end is recorded', async () => (await retriesOf(supplier)).length === 7);
      const retries = await retriesOf(supplier);
      expect(new Set(retries.map((entry) => entry.operator))).toEqual(new Set([name]));
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
      const [cause] = causesOf(await operator.get(pathOf(supplier)));
      const fields = {
        cause: cause!.article.querySelector('form input[name=cause]')!.getAttribute('value')!,
      };
      const stopping = await startService(
        { CONSOLE: 'on', DEMONSTRATION: 'off' },
        { database: service.database },
      );
      const other = await signInAsOperator(stopping);
      // The first batch waits, but nobody for it.
      const release = await service.database.lock('audit_entry');
      const begun = await other.post(pathOf(supplier, '/retry'), fields, pathOf(supplier));
      expect([begun.status, begun.headers.get('location')]).toEqual([303, pathOf(supplier)]);
      await service.database.blocked(1);
      const page = await operator.get(pathOf(supplier));
      expect(page.text).toMatch(/A retry runs since .*: 0 accounts are pending again so far\./);
      expect(page.document.querySelector('#retry')?.getAttribute('hx-get')).toBe(pathOf(supplier));
      const second = await operator.post(pathOf(supplier, '/retry'), fields, pathOf(supplier));
      expect(second.headers.get('location')).toBe(pathOf(supplier, '?busy=yes'));
      expect((await operator.get(pathOf(supplier, '?busy=yes'))).text).toContain(
        'another retry is under way',
      );
      const stopped = stopping.stop();
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
      await operator.post(pathOf(supplier, '/retry'), fields, pathOf(supplier));
      await waitUntil('the others are pending', async () =>
        (await operator.get(pathOf(supplier))).text.includes(
          '1,500 accounts are pending again. accounts import',
        ),
      );
    });

    it('says that a retry whose process was killed has ended early, and lets another one begin (C9)', async () => {
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
      const value = cause!.article.querySelector('form input[name=cause]')!.getAttribute('value')!;
      await operator.post(pathOf(supplier, '/retry'), { cause: value }, pathOf(supplier));
      await waitUntil('it is pending', async () =>
        (await operator.get(pathOf(supplier))).text.includes('1 account is pending again. accounts import'),
      );
    });
  });

  describe('for others', () => {
    it('shows an admin the granted supplier, and hides the requests of another organisation (C3, C9)', async () => {
      const world = await service.given.supplier();
      const other = await service.given.organisation();
      await service.given.grant(world.supplier, other.organisationId);
      await refused(world, [{ id: 'own-request', value: 'OWN' }]);
      await refused({ ...world, apiKeyId: other.apiKeyId }, [{ id: 'foreign-request', value: 'FOREIGN' }]);
      await failed(world, ['A', '2020-01-31']);
      const { key } = await issueKey(service, world.organisationId);
      const admin = await signInAsAdmin(service, key);
      const page = await admin.get(pathOf(world.supplier));
      expect(page.text).toContain('own-request');
      expect(rowsOf(page, 'section table')[0]?.slice(0, 3)).toEqual(['transactions/create/', '400', '1']);
      expect(page.html).not.toContain('foreign-request');
      expect(page.document.querySelectorAll('main form')).toEqual([]);
      const csv = await admin.get(linkIn(page.document, 'All refused requests as CSV'));
      const rows: Record<string, string>[] = parse(csv.html, { columns: true });
      expect(rows.map(({ request_id }) => request_id).sort()).toEqual([
        'another organisation',
        'own-request',
      ]);
      const [, cause] = causesOf(page);
      const accounts = await admin.get(linkIn(cause!.article, 'Accounts'));
      expect(rowsOf(accounts).map(([number]) => number)).toEqual(['A']);
      expect(accounts.document.querySelectorAll('main form')).toEqual([]);
      const retry = await admin.post(pathOf(world.supplier, '/retry'), { number: 'A' });
      expect(retry.status).toBe(403);
      const { json } = await runJson(service.database, ['accounts', 'show', world.supplier, 'A']);
      expect(json).toMatchObject({ status: 'failed' });
    });

    it('does not exist where the supplier is not granted, for pages, downloads and forms (C3)', async () => {
      const [world, stranger] = [await service.given.supplier(), await service.given.supplier()];
      await refused(world, [{ value: 'x' }]);
      const [cause] = causesOf(await operator.get(pathOf(world.supplier)));
      const ofGroup = linkIn(cause!.article, 'Accounts');
      const { key } = await issueKey(service, stranger.organisationId);
      const admin = await signInAsAdmin(service, key);
      for (const path of [
        ...[pathOf(world.supplier), ofGroup, pathOf(world.supplier, '/imports?cause=x')],
        ...[pathOf(world.supplier, '/refusals.csv'), pathOf(world.supplier, '/imports.csv')],
        ofGroup.replace(world.supplier, stranger.supplier),
        pathOf(unique('NOBODY')),
      ]) {
        expect([path, (await admin.get(path)).status]).toEqual([path, 404]);
      }
      expect((await admin.post(pathOf(world.supplier, '/retry'), { number: 'A' })).status).toBe(404);
    });

    it('refuses a form without its token (C3)', async () => {
      const world = await service.given.supplier();
      await failed(world, ['A', '2020-01-31']);
      const refusedForm = await operator.send(pathOf(world.supplier, '/retry'), {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'number=A',
      });
      expect(refusedForm.status).toBe(403);
      const { json } = await runJson(service.database, ['accounts', 'show', world.supplier, 'A']);
      expect(json).toMatchObject({ status: 'failed' });
    });

    it('says what will appear while there is nothing (C9)', async () => {
      const { supplier } = await service.given.supplier();
      const page = await operator.get(pathOf(supplier));
      expect(page.document.querySelectorAll('p.empty').map(collapsed)).toEqual([
        expect.stringContaining('No request was refused'),
        expect.stringContaining('No account is failed.'),
      ]);
      expect((await operator.get(pathOf(supplier, '/refusals?cause=1'))).status).toBe(404);
      expect((await operator.get(pathOf(supplier, '/imports?cause=a%00b'))).status).toBe(404);
      expect((await operator.get(pathOf(supplier, '/imports.csv'))).html).toBe(
        'external_account_number,failed_at,failure\r\n',
      );
    });
  });
});
