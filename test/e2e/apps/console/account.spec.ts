import { runJson } from '../../../support/cli.js';
import {
  adminOf,
  collapsed,
  rowsOf,
  signInAsAdmin,
  signInAsOperator,
  type ConsolePage,
} from '../../../support/console.js';
import { issueKey } from '../../../support/graphql.js';
import {
  startService,
  unique,
  type AccountPair,
  type TestService,
  type World,
} from '../../../support/service.js';
import { SupplierOperations } from '../../../support/supplier-operations.js';
import { setUp } from '../../../support/set-up.js';
import { waitUntil } from '../../../support/wait-until.js';
import { nameOf } from '../../../support/suppliers.js';

const PERIOD = { from: '2026-03-01', to: '2026-03-31' };
/** HTML that would have an effect in a page if it were not escaped. */
const HOSTILE = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>&amp;`;

const service = setUp(() => startService({ CONSOLE: 'on', PLATFORM_TIMEZONE: 'Europe/London' }));
const operator = setUp(() => signInAsOperator(service));

type Imported = Awaited<ReturnType<TestService['given']['importedAccount']>>;

const account = (options: Parameters<TestService['given']['importedAccount']>[0] = {}): Promise<Imported> =>
  service.given.importedAccount({ ...PERIOD, ...options });

async function load(
  path: string,
  { token, ref }: World & { ref: AccountPair },
  items: object,
): Promise<void> {
  const reply = await service.post(path, token, { ...ref, ...items });
  expect(reply).toMatchObject({ status: 201 });
}

function addressOf({ import_supplier: code, external_account_number: number }: AccountPair): string {
  return `/console/suppliers/${encodeURIComponent(code)}/accounts/${encodeURIComponent(number)}`;
}

async function pageOf(ref: AccountPair, query = '', client = operator): Promise<ConsolePage> {
  const page = await client.get(`${addressOf(ref)}${query}`);
  expect(page.status).toBe(200);
  return page;
}

/** The text of one section. */
function section({ document }: ConsolePage, id: string): string {
  return collapsed(document.querySelector(`section#${id}`)!);
}

const charge = (fields: object = {}): object => ({
  transaction_id: unique('t'),
  transaction_date: '2026-03-15',
  amount: 12.5,
  type: 'CHARGE',
  ...fields,
});

const bill = (id: string, fields: object = {}): object => ({
  ...{ statement_id: id, bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31', ...fields },
});

describe('the page of an account', () => {
  it('has landmarks with headings in a fixed order (C5)', async () => {
    const { ref } = await account();
    const page = await pageOf(ref);
    const parts = page.document.querySelectorAll('main section').map((part) => {
      const heading = page.document.getElementById(part.getAttribute('aria-labelledby') ?? '');
      return heading?.textContent;
    });
    expect(parts).toEqual([
      'Account details',
      'Pinned notes',
      'Transactions',
      'Historical statements',
      'Payment instructions',
      'Other notes',
      'History',
    ]);
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  it('shows the account’s state and the counts of its items (C5, C7)', async () => {
    const given = await account();
    await load('transactions/create/', given, {
      transactions: [charge({ amount: 1234.5 }), charge({ amount: -0.25 })],
    });
    await load('notes/create/', given, { notes: [{ body: 'A note' }] });
    const page = await pageOf(given.ref);
    expect(page.document.querySelector('h1')?.textContent).toBe(
      `Account ${given.ref.external_account_number}`,
    );
    const text = section(page, 'account');
    expect(text).toContain('Imported');
    expect(text).toContain(given.serviceAccountNumber);
    expect(text).toContain('1 Mar 2026 to 31 Mar 2026');
    const statistics = page.document.querySelectorAll('#account dl.statistics > div').map(collapsed);
    expect(statistics).toEqual([
      'Requests2',
      'Notes1',
      'Transactions2',
      'Statements0',
      'Payment instructions0',
      'Control sum1,234.25',
    ]);
  });

  it('says what is missing, why, since when, and who does something about it (C5, C12)', async () => {
    const world = await account();
    const { ref, token } = world;
    const of = new SupplierOperations(service, world);
    const missing = async (client = operator): Promise<string[]> =>
      (await pageOf(ref, '', client)).document.querySelectorAll('#missing p').map(collapsed);
    expect(await missing()).toEqual([]);
    await of.setControls([ref.external_account_number], { notes: 2, transactions: { count: 3 } });
    const wrong = { ...ref, transactions: [charge({ amount: 'x' })] };
    expect((await service.post('transactions/create/', token, wrong)).status).toBe(400);
    await waitUntil('the refusal is stored', async () =>
      (await missing()).join().includes('rejected, the last'),
    );
    const page = await pageOf(ref);
    const newest = collapsed(page.document.querySelector('#history time')!);
    expect(section(page, 'account')).toContain(`Last request${newest}`);
    await load('notes/create/', world, { notes: [{ body: 'a' }] });
    expect(await missing()).toEqual([
      expect.stringMatching(
        /^3 of 3 transactions are missing: 1 request was rejected, the last one at .+ because of invalid in transactions\.0\.amount \(.+: t\S+ amount: invalid, .+\)\. The supplier corrects this and sends the rows again: /,
      ),
      expect.stringMatching(
        /^1 of 2 notes are missing: none of its newest requests with them was rejected, so they were probably never sent since the account was imported at .+\. The supplier runs data-import-loader verify, and loads what it names\.$/,
      ),
    ]);
    const admin = await adminOf(service, world);
    expect((await missing(admin))[1]).toContain('Your organisation runs data-import-loader verify');
    await of.setControls([ref.external_account_number], null);
    const unknown =
      /^No transactions are stored, and nobody said how many there must be: 1 request was rejected/;
    expect(await missing()).toEqual([expect.stringMatching(unknown)]);
  });

  it('shows pinned notes at the top for as long as they are pinned, and the others below (C5, N3)', async () => {
    const given = await account();
    const note = (body: string, day: number, rest: object): object => ({
      ...{ body, created_at: `2026-01-0${day}T10:00:00Z`, ...rest },
    });
    const notes = [
      note('always pinned', 1, { is_pinned: true }),
      note('pinned for years', 2, { is_pinned: true, unpin_at: '2999-01-01T00:00:00Z' }),
      note('unpinned since', 3, { is_pinned: true, unpin_at: '2026-01-05T00:00:00Z' }),
      note('never pinned', 4, { unpin_at: '2999-01-01T00:00:00Z' }),
    ];
    await load('notes/create/', given, { notes });
    const page = await pageOf(given.ref);
    const bodies = (id: string): string[] =>
      page.document.querySelectorAll(`#${id} article p.text`).map(collapsed);
    expect(bodies('pinned')).toEqual(['pinned for years', 'always pinned']);
    expect(bodies('notes')).toEqual(['never pinned', 'unpinned since']);
    expect(section(page, 'pinned')).toContain('pinned until 1 Jan 2999, 00:00:00 GMT');
    expect(section(page, 'pinned')).toContain('2 Jan 2026, 10:00:00 GMT');
  });

  it('keeps the line breaks of notes, and shows long notes and many documents on separate pages (C5)', async () => {
    const given = await account();
    const long = `begin ${'x'.repeat(49_990)} end`.slice(0, 50_000);
    const documents = Array.from({ length: 5 }, (_, n) => ({ document_path: `${n}.pdf` }));
    await load('notes/create/', given, {
      notes: [{ body: 'one\ntwo\n\n  three' }, { body: long, document_paths: documents }],
    });
    const page = await pageOf(given.ref);
    const texts = page.document.querySelectorAll('#notes article p.text').map((one) => one.textContent);
    expect(texts).toContain('one\ntwo\n\n  three');
    expect(texts).toContain(`${long.slice(0, 1_200)}… and 48,800 more characters`);
    expect(section(page, 'notes')).toContain(
      '2.pdf Download not found in the document store yetand 2 more documents',
    );
    const whole = await operator.get(
      page.document.querySelector('#notes article > a')!.getAttribute('href')!,
    );
    expect(whole.document.querySelector('p.text')?.textContent).toBe(long);
    expect(whole.document.querySelectorAll('.document')).toHaveLength(5);
  });

  it('shows transactions newest first, with totals by type and all fields (C5, C7)', async () => {
    const given = await account();
    await load('transactions/create/', given, {
      transactions: [
        charge({ transaction_date: '2026-03-02', amount: 1_000_000, reason: 'IMPORTED_CHARGE' }),
        charge({
          ...{ transaction_date: '2026-03-20', amount: -5, type: 'PAYMENT' },
          ...{ reference: 'ref 1', display_note: 'for\nyou', note: 'for us' },
        }),
        charge({ transaction_date: '2026-03-10', amount: 0.1 }),
      ],
    });
    const page = await pageOf(given.ref);
    expect(rowsOf(page, 'table.totals')).toEqual([
      ['CHARGE', '2', '1,000,000.10'],
      ['PAYMENT', '1', '-5.00'],
      ['All types (control sum)', '3', '999,995.10'],
    ]);
    const rows = rowsOf(page, 'table.transactions');
    expect(rows.map(([day]) => day)).toEqual(['20 Mar 2026', '10 Mar 2026', '2 Mar 2026']);
    expect(rows[0]![3]).toBe('Referenceref 1Shown to the customerfor youNotefor us');
    expect(rows.map((row) => row[1])).toEqual(['-5.00', '0.10', '1,000,000.00']);
  });

  it('shows the original day of a moved transaction, and the note that explains it (C5, X7)', async () => {
    const given = await account();
    await load('transactions/create/', given, { transactions: [charge({ transaction_date: '2025-12-31' })] });
    const page = await pageOf(given.ref);
    expect(rowsOf(page, 'table.transactions')[0]![0]).toBe('1 Mar 2026 original date: 31 Dec 2025');
    expect(section(page, 'pinned')).toContain('1 of the imported transactions lay outside');
    expect(section(page, 'history')).toContain('Stored 1 note and 1 transaction');
  });

  it('filters transactions by type, days and id, and reports invalid filters (C5)', async () => {
    const given = await account();
    const id = unique('wanted');
    await load('transactions/create/', given, {
      transactions: [
        charge({ transaction_date: '2026-03-02', transaction_id: id }),
        charge({ transaction_date: '2026-03-10', type: 'CREDIT' }),
        charge({ transaction_date: '2026-03-20' }),
      ],
    });
    const days = async (query: string): Promise<string[]> =>
      rowsOf(await pageOf(given.ref, query), 'table.transactions').map(([day]) => day!);
    expect(await days('?type=CREDIT')).toEqual(['10 Mar 2026']);
    expect(await days('?from=2026-03-10')).toEqual(['20 Mar 2026', '10 Mar 2026']);
    expect(await days('?to=2026-03-10&type=')).toEqual(['10 Mar 2026', '2 Mar 2026']);
    expect(await days(`?id=${id}`)).toEqual(['2 Mar 2026']);
    expect(await days(`?id=${id.slice(0, -1)}`)).toEqual([]);
    expect(await days('?id=%25')).toEqual([]);
    expect(await days('?transactions=nonsense&id=%00')).toHaveLength(3);
    for (const query of ['?from=2026-02-30', '?type=%3Cb%3E'])
      expect((await operator.get(`${addressOf(given.ref)}${query}`)).status).toBe(404);
    const { document } = await pageOf(given.ref, '?from=2026-03-20');
    expect(document.querySelector('input[name=from]')?.getAttribute('value')).toBe('2026-03-20');
  });

  it('has pages of transactions, notes and statements, each continuing where the one before ended (C5)', async () => {
    const given = await account();
    const ids = Array.from({ length: 120 }, (_, n) => `t-${String(n).padStart(3, '0')}`);
    await load('transactions/create/', given, {
      transactions: ids.map((id) => charge({ transaction_id: id })),
    });
    await load('notes/create/', given, { notes: ids.slice(0, 45).map((id) => ({ body: id })) });
    await load('historical-statements/create/', given, {
      statements: ids.map((id) => bill(id)),
    });
    const walk = async (list: string, read: (page: ConsolePage) => string[]): Promise<string[]> => {
      const seen: string[] = [];
      let query: string | undefined = '';
      for (let pages = 0; query !== undefined && pages < 10; pages += 1) {
        const page = await pageOf(given.ref, query);
        seen.push(...read(page));
        const links = page.document.querySelectorAll(`#${list} nav.pager a`);
        const older = links.find((link) => link.textContent.startsWith('Older'));
        const href = older?.getAttribute('href');
        query = href && new URL(href.replaceAll('&amp;', '&'), service.baseUrl).search;
      }
      return seen;
    };
    const transactions = await walk('transactions', (page) =>
      page.document.querySelectorAll('table.transactions td:nth-child(3) .muted').map(collapsed),
    );
    expect(transactions).toEqual(ids.toReversed());
    const notes = await walk('notes', (page) =>
      page.document.querySelectorAll('#notes article p.text').map(collapsed),
    );
    expect(notes).toHaveLength(45);
    expect(new Set(notes)).toEqual(new Set(ids.slice(0, 45)));
    const statements = await walk('statements', (page) =>
      page.document.querySelectorAll('#statements td:nth-child(3) .muted').map(collapsed),
    );
    expect(statements).toEqual(ids.toReversed());
  });

  it('continues a list after a place in the address that does not exist (C5)', async () => {
    const given = await account();
    await load('transactions/create/', given, { transactions: [charge()] });
    const place = (...values: unknown[]): string => Buffer.from(JSON.stringify(values)).toString('base64url');
    for (const made of [
      ...[place('2026-02-30', 'a', '0'), place('2026-02-20', 'a\0', '0'), place('2026-02-20', 'a')],
      ...[place('2026-02-20', 'a', '99999999999999999999'), place(1, 2, 3), '%00', '='],
    ]) {
      const query = ['transactions', 'notes', 'history', 'pinned'].map((list) => `${list}=${made}`).join('&');
      const page = await pageOf(given.ref, `?${query}`);
      expect(rowsOf(page, 'table.transactions')).toHaveLength(1);
    }
    const strange = place('2026-02-20 25:00:00+00', 'zz');
    await pageOf(given.ref, `?notes=${strange}&instructions=${strange}&statements=${strange}`);
  });

  it('shows line and tax items on a page of their own (C5)', async () => {
    const given = await account();
    const line = {
      rate_band: 'DAY',
      start_date: '2026-02-01',
      end_date: '2026-02-28',
      number_of_units: 120.5,
      net_amount: 3000.125,
      price_per_unit: 0.0000000001,
      units: Array.from({ length: 60 }, (_, n) => n),
    };
    const tax = { amount: 1.5, tax_type: 'VAT', value_taxed: 30.125, rate: 0.05, unit_type: 'PROPORTION' };
    const supply = { type: 'SUPPLY_CHARGE', product_code: 'STANDARD', line_items: [line], tax_items: [tax] };
    const id = `${unique('t')}/ %é`;
    await load('transactions/create/', given, { transactions: [charge({ transaction_id: id, ...supply })] });
    const page = await pageOf(given.ref);
    const link = page.document.querySelector('table.transactions a')!;
    expect(collapsed(link)).toBe('1 line item, 1 tax item');
    const href = link.getAttribute('href')!;
    const own = await operator.get(href);
    expect(own.status).toBe(200);
    const readings = `60 readings: ${Array.from({ length: 48 }, (_, n) => n).join(', ')} and 12 more`;
    expect(rowsOf(own, 'table')).toEqual([
      [`DAY${readings}`, '1 Feb 2026 to 28 Feb 2026', '120.5', '0.0000000001', '3,000.125'],
    ]);
    expect(own.text).toContain('VATPROPORTION0.0530.1251.50');
    for (const address of [`${href}x`, `${href}?occurrence=1`, `${href}?occurrence=x`]) {
      expect(await operator.get(address)).toMatchObject({ status: 404 });
    }
  });

  it('distinguishes transactions that were added again without a check (C5, X6)', async () => {
    const given = await account();
    const transactions = [charge({ transaction_id: 'twice' })];
    await load('transactions/create/', given, { transactions });
    await load('transactions/create/?check_previously_added=false', given, { transactions });
    const page = await pageOf(given.ref);
    const rows = rowsOf(page, 'table.transactions');
    expect(rows.map((row) => row[3])).toEqual(['Duplicate checkskipped', '']);
  });

  it('shows statements with a link to their document, and whether it was seen (C5, C6)', async () => {
    const given = await account();
    await load('historical-statements/create/', given, {
      statements: [
        bill('s-1', {
          ...{ issued_date: '2025-02-03', number: 'N 7', gross_amount: 1234.5 },
          statement_path: '2025/januar é #1.pdf',
        }),
        bill('s-2', { bill_period_from_date: '2025-02-01', bill_period_to_date: '2025-02-28' }),
      ],
    });
    const page = await pageOf(given.ref);
    expect(rowsOf(page, '#statements table')).toEqual([
      ['1 Feb 2025 to 28 Feb 2025', '', 's-2', '', 'none'],
      [
        ...['1 Jan 2025 to 31 Jan 2025', '3 Feb 2025', 'N 7 s-1', '1,234.50'],
        '2025/januar é #1.pdf Download not found in the document store yet',
      ],
    ]);
    expect(page.document.querySelector('#statements a')?.getAttribute('href')).toBe(
      `${addressOf(given.ref)}/documents/2025/januar%20%C3%A9%20%231.pdf`,
    );
  });

  it('shows payment instructions with the vendor’s details (C5)', async () => {
    const given = await account();
    await load('payment-instruction/create/', given, { vendor: 'SANDBOX', type: 'CARD', reference: 'ok_1' });
    await service.database.sql(
      `UPDATE payment_instruction SET details = '{"kind":"card","last_digits":"4242"}' WHERE external_account_number = $1`,
      [given.ref.external_account_number],
    );
    const text = section(await pageOf(given.ref), 'instructions');
    expect(text).toContain('SANDBOX CARD');
    expect(text).toContain('Referenceok_1');
    expect(text).toMatch(/Verified\d+ \w+ 20\d\d/);
    expect(text).toContain('Vendor: kindcardVendor: last digits4242');
  });

  it('shows the history newest first, with requests, refusals and changes by operators (C5, O6)', async () => {
    const given = await account();
    await load('notes/create/', given, { notes: [{ body: 'one' }, { body: 'two' }] });
    const bad = await service.post('notes/create/', given.token, { ...given.ref, notes: [{ body: 7 }] });
    expect(bad.status).toBe(400);
    const history = async (): Promise<string[]> =>
      (await pageOf(given.ref)).document.querySelectorAll('#history ol.timeline > li').map(collapsed);
    // Refusals are recorded after they are answered; anything later then has a later millisecond.
    await waitUntil('the refusal is recorded', async () => (await history()).length === 4);
    await service.database.sql(
      `INSERT INTO audit_entry (operator, action, subject, import_supplier, external_account_number, details)
       VALUES ('alice', 'account.set_period', $2, $1, $2, '{"to":{"to":"2026-04-30"}}')`,
      [given.supplier, given.ref.external_account_number],
    );
    const events = await history();
    const titles = (await pageOf(given.ref)).document.querySelectorAll('#history strong').map(collapsed);
    expect(titles).toEqual([
      'Change by an operator: set period',
      'Rejected notes: 400 validation_error',
      'Stored 2 notes',
      `Imported as ${given.serviceAccountNumber}`,
      'Staged',
    ]);
    expect(events[0]).toContain('by alice');
    expect(events[0]).toContain('Tonone → 2026-04-30');
    expect(events[1]).toMatch(/by .*, key test.*Fieldinvalid at notes\.0\.body/);
  });

  it('escapes all sent text everywhere (C5)', async () => {
    const world = await service.given.supplier({ name: HOSTILE });
    const given = await account({ world, number: HOSTILE });
    const documents = [{ document_path: HOSTILE.replaceAll('/', '|') }];
    const texts = { transaction_id: HOSTILE, reference: HOSTILE, note: HOSTILE, display_note: HOSTILE };
    for (const [path, items] of [
      ['notes/create/', { notes: [{ body: HOSTILE, is_pinned: true, document_paths: documents }] }],
      ['transactions/create/', { transactions: [charge(texts)] }],
      ['historical-statements/create/', { statements: [bill(HOSTILE, { number: HOSTILE })] }],
      ['payment-instruction/create/', { vendor: 'SANDBOX', type: 'CARD', reference: `ok_${HOSTILE}` }],
    ] as const)
      await load(path, given, items);
    const page = await pageOf(given.ref, `?id=${encodeURIComponent(HOSTILE)}`);
    expect(page.html).not.toContain('<script>alert');
    expect(page.html).not.toContain('<img');
    const scripts = page.document.querySelectorAll('script').map(({ outerHTML }) => outerHTML);
    expect(scripts.join('')).toMatch(/^(<script src="\/console\/assets\/[a-z]+\.js" defer><\/script>)+$/);
    expect(rowsOf(page, 'table.transactions')).toHaveLength(1);
    expect(page.document.querySelector('#pinned article p.text')?.textContent).toBe(HOSTILE);
    const attributes = page.document.querySelectorAll('*').flatMap((one) => Object.keys(one.attributes));
    expect(attributes.filter((name) => /^(on|style|hx-on)/.test(name))).toEqual([]);
  });

  it.each([
    ['pending', 'The account waits to be imported'],
    ['in_progress', 'The account is being imported'],
    ['failed', 'It did not work.'],
  ])('exists for an account that is %s (C5, S3)', async (state, notice) => {
    const { ref, supplier } = await service.given.stagedAccount();
    const number = ref.external_account_number;
    if (state === 'failed') {
      await service.database.sql(
        `UPDATE account_import SET status = 'failed', failure = 'It did not work.', failed_at = now()
          WHERE external_account_number = $1`,
        [number],
      );
    } else if (state === 'in_progress') {
      await service.database.sql(
        `INSERT INTO import_lease (import_supplier_id, first_number, last_number, held_by, expires_at)
         SELECT id, $2, $2, 'test', now() + interval '1 hour' FROM import_supplier WHERE code = $1`,
        [supplier, number],
      );
    }
    const page = await pageOf(ref);
    expect(section(page, 'account')).toContain(notice);
    if (state === 'failed') {
      expect(section(page, 'account')).toMatch(
        /It did not work\. \(\d+ \w+ \d{4}, [\d:]+ \w+\) Nothing .+\. What to do is under Failures\./,
      );
    }
    expect(page.document.querySelector('dl.statistics')).toBeNull();
    expect(section(page, 'history')).toContain('Staged');
  });

  it('shows of an account that is being erased only that it is (C5, S10)', async () => {
    const given = await account();
    await load('notes/create/', given, { notes: [{ body: 'private' }] });
    const number = given.ref.external_account_number;
    await service.database.sql(
      `WITH erasure AS (
         INSERT INTO erasure (import_supplier_id, external_account_number, reason, run_id)
         SELECT id, $2, 'because', uuidv7() FROM import_supplier WHERE code = $1 RETURNING *)
       INSERT INTO account_erasure (import_supplier_id, external_account_number, erasure_id)
       SELECT import_supplier_id, $2, id FROM erasure`,
      [given.supplier, number],
    );
    const page = await pageOf(given.ref);
    expect(section(page, 'account')).toContain('All data of this account is being erased');
    expect(page.text).not.toContain('private');
    expect(page.document.querySelectorAll('main section')).toHaveLength(2);
  });

  it('answers 404 for a number that is not staged, and for an impossible number (C3)', async () => {
    const { supplier } = await service.given.supplier();
    for (const number of ['none', '%00', '%ED%A0%80', 'x'.repeat(500)]) {
      const page = await operator.get(`/console/suppliers/${supplier}/accounts/${number}`);
      expect([number, page.status]).toEqual([number, 404]);
    }
  });
});

describe('the page of an account for an admin', () => {
  it('names neither other organisations nor operators (C3)', async () => {
    const given = await account();
    const other = await service.given.organisation();
    await service.given.grant(given.supplier, other.organisationId);
    const named = await nameOf(service.database, given);
    await load('notes/create/', given, { notes: [{ body: 'one' }] });
    await service.database.sql(
      `INSERT INTO audit_entry (operator, action, subject, import_supplier, external_account_number, details)
       VALUES ('alice', 'account.set_period', $2, $1, $2, '{"why":"secret reason"}')`,
      [given.supplier, given.ref.external_account_number],
    );
    const { key } = await issueKey(service, other.organisationId);
    const page = await pageOf(given.ref, '', await signInAsAdmin(service, key));
    const history = section(page, 'history');
    expect(history).toContain('by another organisation');
    expect(history).not.toContain('Request');
    expect(history).toContain('Change by an operator: set period');
    for (const hidden of ['alice', 'secret reason', named]) expect(page.html).not.toContain(hidden);
    const ownKey = await issueKey(service, given.organisationId);
    const ownPage = await pageOf(given.ref, '', await signInAsAdmin(service, ownKey.key));
    expect(section(ownPage, 'history')).toContain(`by ${named}, key test`);
  });
});

describe('a view of an account', () => {
  const entries = ({ import_supplier, external_account_number }: AccountPair): Promise<object[]> =>
    service.database.sql(
      `SELECT viewer, action, sum(count)::integer AS count FROM viewed
        WHERE import_supplier = $1 AND external_account_number = $2
        GROUP BY viewer, action ORDER BY min(at)`,
      [import_supplier, external_account_number],
    );

  it('is counted for each person by the hour (C5)', async () => {
    const { ref, organisationId } = await account();
    const name = unique('operator');
    const first = await signInAsOperator(service, name);
    await pageOf(ref, '', first);
    await pageOf(ref, '?type=CHARGE', first);
    await pageOf(ref, '', await signInAsOperator(service, name));
    const { id, key } = await issueKey(service, organisationId);
    await pageOf(ref, '', await signInAsAdmin(service, key));
    const recorded = [
      { viewer: name, action: 'account.view', count: 3 },
      { viewer: `api key ${id}`, action: 'account.view', count: 1 },
    ];
    expect(await entries(ref)).toEqual(recorded);
    await service.database.sql(
      `UPDATE viewed SET hour = hour - interval '1 hour', at = at - interval '1 hour' WHERE external_account_number = $1`,
      [ref.external_account_number],
    );
    await pageOf(ref, '', first);
    const rows = await service.database.sql(
      'SELECT count FROM viewed WHERE external_account_number = $1 AND viewer = $2 ORDER BY hour',
      [ref.external_account_number, name],
    );
    expect(rows).toEqual([{ count: 3 }, { count: 1 }]);
  });

  it('is neither recorded nor answered for an account that is erased meanwhile (C5, S10)', async () => {
    const { ref, supplier } = await account();
    const number = ref.external_account_number;
    const client = await signInAsOperator(service);
    const release = await service.database.lock('viewed');
    const answer = client.get(addressOf(ref));
    await service.database.blocked(1);
    const erased = runJson(service.database, ['accounts', 'erase', supplier, number, '--reason', 'test']);
    await service.database.blocked(2);
    await release();
    expect(await erased).toMatchObject({ exitCode: 0 });
    expect([200, 404]).toContain((await answer).status);
    expect(await entries(ref)).toEqual([]);
  });

  it('is not recorded when there is no such account, or it may not be seen (C5)', async () => {
    const { ref } = await account();
    const { organisationId } = await service.given.organisation();
    const { key } = await issueKey(service, organisationId);
    await (await signInAsAdmin(service, key)).get(addressOf(ref));
    expect(await entries(ref)).toEqual([]);
    const missing = { ...ref, external_account_number: 'none' };
    await operator.get(addressOf(missing));
    expect(await entries(missing)).toEqual([]);
  });

  it('shows nothing when it cannot be recorded (C5)', async () => {
    const { ref, token } = await account();
    await load('notes/create/', { ...(await account()), token, ref }, { notes: [{ body: 'private' }] });
    const client = await signInAsOperator(service);
    const release = await service.database.lock('viewed');
    try {
      const answer = client.get(addressOf(ref));
      await service.database.blocked(1);
      await service.database.sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%viewed%'`,
      );
      const page = await answer;
      expect(page.status).toBe(503);
      expect(page.html).not.toContain('private');
    } finally {
      await release();
    }
  });
});
