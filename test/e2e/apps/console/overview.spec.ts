import { collapsed, signInAsOperator, type ConsolePage, adminOf } from '../../../support/console.js';
import { runJson } from '../../../support/cli.js';
import { issueKey } from '../../../support/graphql.js';
import { startService, unique, type World } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { SupplierOperations } from '../../../support/supplier-operations.js';
import { waitUntil } from '../../../support/wait-until.js';
import { carryOver, nameOf } from '../../../support/suppliers.js';

const service = setUp(() => startService({ CONSOLE: 'on', PLATFORM_TIMEZONE: 'Europe/London' }));
const operator = setUp(() => signInAsOperator(service));

/** The cells of a supplier's row: name, state, what needs attention, imported, rows, and forecast. */
function rowOf({ document }: ConsolePage, { supplier }: Pick<World, 'supplier'>): string[] {
  const link = document.querySelector(`table.suppliers th a[href="/console/suppliers/${supplier}"]`);
  const row = link?.closest('tr');
  if (!row) throw new Error(`There is no row of ${supplier}.`);
  return row.querySelectorAll('th, td').map(collapsed);
}

/** The conditions on the page of a supplier. */
async function conditionsOf({ supplier }: World, client = operator): Promise<string[]> {
  const { document } = await client.get(`/console/suppliers/${supplier}`);
  return document.querySelectorAll('ul.attention li').map((line) => collapsed(line).replace(/\.$/, ''));
}

const overview = (client = operator, span = ''): Promise<ConsolePage> => client.get(`/console/${span}`);

const TRANSACTION = { transaction_date: '2026-01-15', type: 'CHARGE' };

/** A supplier with five accounts: one failed, one pending and three imported, of which one has items. */
async function loadedSupplier(): Promise<World> {
  const world = await service.given.supplier();
  const of = new SupplierOperations(service, world);
  await of.stage(['1', '2', '3', 'wrong'], ['wrong']);
  await of.import();
  await of.stage(['pending']);
  const sent = [
    of.post('notes/create/', '1', {
      notes: [{ body: 'a' }, { body: 'b', document_paths: [{ document_path: 'a.pdf' }] }],
    }),
    of.post('transactions/create/', '1', {
      transactions: [
        { ...TRANSACTION, transaction_id: 't1', amount: 1234.5 },
        { ...TRANSACTION, transaction_id: 't2', amount: -0.25 },
        { ...TRANSACTION, transaction_id: 't3', amount: 1 },
      ],
    }),
    of.post('historical-statements/create/', '1', {
      statements: [
        { statement_id: 's', bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31' },
      ],
    }),
    of.post('payment-instruction/create/', '1', { vendor: 'SANDBOX', reference: 'ok_1', type: 'CARD' }),
  ];
  expect(await Promise.all(sent)).toEqual([201, 201, 201, 201]);
  await carryOver(service, world);
  return world;
}

const FAILED =
  '1 account failed, most often “The open statement period would begin on … and end on …, before it begins” (1)';

describe('the overview', () => {
  it('has a row for each supplier, with its state, how much is imported and loaded, and the forecast (C2, C10, C12)', async () => {
    const world = await loadedSupplier();
    const page = await overview();
    expect(rowOf(page, world)).toEqual([
      ...[world.supplier, 'problem'],
      `${FAILED}; 3 waiting`,
      ...['3 of 5', '1 with an import'],
      expect.stringMatching(/^Accounts by \d+ \w+ \d{4}, .*(GMT|BST)\.$/),
    ]);
    const links = page.document
      .querySelectorAll('table.suppliers a')
      .map((link) => link.getAttribute('href')!)
      .filter((href) => href.startsWith(`/console/suppliers/${world.supplier}/accounts`));
    const list = `/console/suppliers/${world.supplier}/accounts`;
    expect(links).toEqual([...[`${list}?state=imported`, list, `${list}?load=some`]]);
    const supplier = await operator.get(`/console/suppliers/${world.supplier}`);
    expect(
      supplier.document
        .querySelectorAll('#items dl.statistics > div')
        .map((one) => one.childNodes.map((part) => part.textContent)),
    ).toEqual([
      ...[
        ['Notes', '2'],
        ['Transactions', '3'],
        ['Statements', '1'],
        ['Payment instructions', '1'],
      ],
      ['Control sum', '1,235.25'],
    ]);
  });

  it('shows the share of the rows, and problems with them (C12)', async () => {
    const world = await service.given.supplier();
    const of = new SupplierOperations(service, world);
    await of.stage(['1', '2'], [], { notes: 2 });
    await of.import();
    await of.post('notes/create/', '1', { notes: [{ body: 'a' }, { body: 'b' }, { body: 'c' }] });
    await carryOver(service, world);
    const row = rowOf(await overview(), world);
    expect(row.slice(1, 3)).toEqual(['problem', '1 account has too many rows; 1 waiting']);
    expect(row.slice(4)).toEqual([expect.stringMatching(/75 %$/), expect.stringMatching(/^Rows by /)]);
  });

  it('collapses complete suppliers (C2)', async () => {
    const [one, other] = [await service.given.supplier(), await service.given.supplier()];
    await service.database.sql(`UPDATE import_supplier SET status = 'complete' WHERE code = $1`, [
      other.supplier,
    ]);
    const page = await overview();
    const folded = page.document
      .querySelectorAll('details#complete th a')
      .map(({ textContent }) => textContent);
    expect(folded).toContain(other.supplier);
    expect(folded).not.toContain(one.supplier);
    expect(rowOf(page, one).slice(1, 3)).toEqual(['waiting', 'no account is staged yet']);
    expect(page.document.querySelector('details#complete summary')?.textContent).toMatch(/^\d+ complete$/);
  });

  it('collapses the names of archived suppliers, without alerts, also for admins (S11)', async () => {
    const world = await loadedSupplier();
    await service.database.sql(
      `UPDATE import_supplier SET status = 'complete', archived_at = now() WHERE code = $1`,
      [world.supplier],
    );
    for (const client of [operator, await adminOf(service, world)]) {
      const page = await overview(client);
      const folded = page.document.querySelectorAll('details#archived th a').map(collapsed);
      expect(folded).toContain(world.supplier);
      expect(page.document.querySelector('table.suppliers')?.textContent ?? '').not.toContain(world.supplier);
      expect(await conditionsOf(world, client)).toEqual([]);
    }
  });

  it('orders suppliers by severity, and adds them up (C2, C12)', async () => {
    const organisation = await service.given.organisation();
    const given = async (): Promise<SupplierOperations> => {
      const world = await service.given.supplier();
      await service.given.grant(world.supplier, organisation.organisationId);
      return new SupplierOperations(service, world);
    };
    const [waiting, failed, whole] = [await given(), await given(), await given()];
    await waiting.stage(['1', '2'], [], { notes: 1 });
    await waiting.import();
    await waiting.setStatus('paused');
    await failed.stage(['1'], ['1']);
    await failed.import();
    await whole.stage(['1'], [], { notes: 1 });
    await whole.import();
    await whole.post('notes/create/', '1', { notes: [{ body: 'a' }] });
    for (const { world } of [waiting, failed, whole]) await carryOver(service, world);
    const page = await overview(await adminOf(service, organisation));
    const rows = page.document.querySelectorAll('table.suppliers tbody tr');
    expect(rows.map((row) => row.querySelectorAll('th, td').slice(0, 3).map(collapsed))).toEqual([
      [failed.world.supplier, 'problem', `${FAILED}; 1 waiting`],
      [
        ...[waiting.world.supplier, 'waiting paused'],
        'the supplier is paused, and 2 of 2 expected rows are missing',
      ],
      [whole.world.supplier, 'nothing missing', '–'],
    ]);
    expect(collapsed(page.document.querySelector('#suppliers .facts')!)).toBe(
      'problem 1waiting 1nothing missing 1',
    );
    expect(collapsed(page.document.querySelector('.as-of')!)).toMatch(
      /^Imported 3 of 4 accounts, stored 1 of 3 expected rows\. As of/,
    );
  });

  it('shows the days to the cut-over, and the pace that it needs beside the pace that there is (C12)', async () => {
    const world = await service.given.supplier();
    const of = new SupplierOperations(service, world);
    await of.stage(['1'], [], { notes: 31 });
    await of.import();
    await of.post('notes/create/', '1', { notes: [{ body: 'a' }] });
    await carryOver(service, world);
    const day = new Date(Date.now() + 10 * 86_400_000);
    const cutOver = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' }).format(day);
    const set = await runJson(service.database, ['supplier', 'set', world.supplier, '--cut-over', cutOver]);
    expect(set.json).toMatchObject({ cut_over: cutOver, quiet_after: '24h' });
    const forecast = rowOf(await overview(), world)[5];
    expect(forecast).toMatch(/Cut-over \d+ \w+ \d{4}, 10 days left: needs 3 rows a day \(last day: 1\)\.$/);
    const none = ['--cut-over', 'none', '--quiet-after', 'off'];
    await runJson(service.database, ['supplier', 'set', world.supplier, ...none]);
    expect(rowOf(await overview(), world)[5]).not.toContain('Cut-over');
  });

  it('charts the rows loaded in the last hour, six hours, day and week, also as a table (C2, C16)', async () => {
    const world = await loadedSupplier();
    const admin = await adminOf(service, world);
    for (const [span, words] of [
      ['', 'the last hour'],
      ['?span=6-hours', 'the last 6 hours'],
      ['?span=day', 'the last day'],
      ['?span=week', 'the last week'],
    ] as const) {
      const page = await overview(admin, span);
      expect(page.document.querySelector('figure.chart figcaption')?.textContent).toMatch(
        `7 rows in ${words}.`,
      );
      const cells = page.document.querySelectorAll('#items-table tbody td:last-child');
      expect(cells.reduce((sum, cell) => sum + Number(cell.textContent), 0)).toBe(7);
      expect(page.document.querySelector('nav.choices [aria-current]')?.textContent.toLowerCase()).toBe(
        words,
      );
    }
  });

  it('says what needs attention, with links (C2)', async () => {
    const world = await loadedSupplier();
    const { ref } = await service.given.importedAccount({ world });
    // A rejected dry run is what a dry run is for.
    for (const [address, body] of [
      ['notes/create/?dry_run=true', {}],
      ['notes/create/', {}],
      ['notes/create/', { body: 7 }],
    ] as const) {
      expect((await service.post(address, world.token, { ...ref, notes: [body] })).status).toBe(400);
    }
    await waitUntil('the refusals are stored', async () =>
      (await conditionsOf(world)).some((text) => text.startsWith('2 requests were rejected')),
    );
    expect(await conditionsOf(world)).toEqual([
      expect.stringMatching(/^1 account failed, most often “.+[^.]” \(1\)$/),
      '2 requests were rejected in the last hour, most often “invalid in notes.body” (1)',
      ...['1 account is pending', '1 document not looked up yet', 'nobody said what must be there'],
    ]);
    expect(rowOf(await overview(), world)[2]).toBe(
      `${FAILED}; 2 requests were rejected in the last hour; 3 waiting`,
    );
    const page = await operator.get(`/console/suppliers/${world.supplier}`);
    const links = page.document.querySelectorAll('ul.attention a').map((link) => link.getAttribute('href'));
    const address = `/console/suppliers/${world.supplier}`;
    expect(links).toEqual([
      ...[`${address}/failures`, `${address}/failures?period=hour`, `${address}/accounts?state=pending`],
      `${address}/documents?state=not_looked_up`,
    ]);
    const waiting = (await overview()).document.querySelector(`a[href="${address}"][title]`);
    expect(waiting?.getAttribute('title')).toBe(
      '1 account is pending; 1 document not looked up yet; nobody said what must be there',
    );
  });

  it('reports missing documents, and documents not looked up for more than a day (F5)', async () => {
    const world = await loadedSupplier();
    const documentsOf = async (): Promise<string[]> =>
      (await conditionsOf(world)).filter((text) => text.includes('document'));
    expect(await documentsOf()).toEqual(['1 document not looked up yet']);
    // A separate query, because several nodes would generate several ids.
    const [ids] = await service.database.sql<{ old: string; now: string }>(
      `SELECT uuidv7(interval '-25 hours') AS old, uuidv7() AS now`,
    );
    for (const notes of [
      `import_request SET id = $2 WHERE kind = 'notes'`,
      'note SET import_request_id = $2 WHERE true',
    ]) {
      await service.database.sql(
        `UPDATE ${notes} AND import_supplier_id = (SELECT id FROM import_supplier WHERE code = $1)`,
        [world.supplier, ids!.old],
      );
    }
    expect(await documentsOf()).toEqual(['1 document not looked up yet, the oldest for more than a day']);
    await service.database.sql(
      `UPDATE supplier_total SET documents_looked_up_before = $2
        WHERE import_supplier_id = (SELECT id FROM import_supplier WHERE code = $1)`,
      [world.supplier, ids!.now],
    );
    expect(await documentsOf()).toEqual(['1 missing document']);
  });

  it('reports waiting accounts however many accounts before them have failed (C2)', async () => {
    const world = await service.given.supplier();
    const of = new SupplierOperations(service, world);
    const wrong = Array.from({ length: 150 }, (_, index) => String(1_000 + index));
    await of.stage(wrong, wrong);
    await of.import();
    await of.stage(['9999']);
    await carryOver(service, world);
    await service.database.sql(
      `UPDATE account_import SET staged_at = now() - interval '25 minutes'
        WHERE import_supplier_id = (SELECT id FROM import_supplier WHERE code = $1)`,
      [world.supplier],
    );
    expect(await conditionsOf(world)).toEqual([
      'no account was imported for 25 minutes, and 1 account is pending',
      expect.stringMatching(/^150 accounts failed, most often “.+” \(150\)$/),
      'nobody said what must be there',
    ]);
  });

  it('names keys that expire within 7 days; for an admin only those of its organisation (C3)', async () => {
    const [own, other] = [await service.given.supplier(), await service.given.supplier()];
    const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000);
    const admin = await adminOf(service, own);
    const [ownName, otherName] = [await nameOf(service.database, own), await nameOf(service.database, other)];
    await issueKey(service, other.organisationId, inDays(6));
    await issueKey(service, own.organisationId, inDays(8));
    expect((await overview(admin)).document.querySelector('#keys')).toBeNull();
    const soon = await issueKey(service, own.organisationId, inDays(6.9));
    expect((await overview(admin)).text).toMatch(
      new RegExp(`The key “test” \\(${soon.id.slice(0, 13)}\\) of ${ownName} expires in `),
    );
    expect((await overview(admin)).text).not.toContain(otherName);
    const { text } = await overview();
    expect(text).toContain(`of ${ownName} expires`);
    expect(text).toContain(`of ${otherName} expires`);
  });

  it('shows an admin the suppliers granted to the organisation, or that there are none (C3)', async () => {
    const world = await service.given.supplier();
    const stranger = await service.given.supplier();
    const page = await overview(await adminOf(service, world));
    expect(page.document.querySelectorAll('table.suppliers tbody tr')).toHaveLength(1);
    expect(page.html).not.toContain(stranger.supplier);
    const none = await overview(await adminOf(service, await service.given.organisation()));
    expect(none.text).toContain('Your organisation has no access to an import supplier.');
  });

  it('has sentences for a supplier without accounts, and refreshes every 10 seconds (C8)', async () => {
    const world = await service.given.supplier();
    const page = await overview(await adminOf(service, world), '?span=day');
    expect(page.text).toContain('No account is staged yet.');
    expect(page.text).toContain('Nothing was loaded in the last day.');
    const part = page.document.querySelector('#overview');
    expect(part?.getAttribute('hx-get')).toBe('/console/?span=day');
    expect(part?.getAttribute('hx-trigger')).toBe('every 10s');
  });

  it.each(['?span=month', '?span=constructor', '?span=day&span=hour', `?span=${unique('x')}`])(
    'shows the last hour for the address %s',
    async (query) => {
      const page = await overview(operator, query);
      expect([page.status, page.document.querySelector('#overview')?.getAttribute('hx-get')]).toEqual([
        200,
        '/console/',
      ]);
    },
  );
});
