import { randomBytes } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { ItemSearchService } from '../../../../src/apps/console/search/item-search.service.js';
import {
  collapsed,
  rowsOf,
  signInAsOperator,
  type ConsoleClient,
  type ConsolePage,
  adminOf,
} from '../../../support/console.js';
import { commandNames } from '../../../support/cli.js';
import { startService, unique, type AccountPair, type World } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { SupplierOperations } from '../../../support/supplier-operations.js';
import { ObservedTotals } from '../../../support/totals.js';
import { waitUntil } from '../../../support/wait-until.js';

const another = 'another organisation';

/** Upper limit of pages per viewer, far above the real number. */
const PAGES_MAX = 500;

/** Unique texts that an organisation chooses and another one must never see. */
class Markers {
  readonly all: string[] = [];

  /** Make a unique text. */
  make(): string {
    const marker = `q${randomBytes(10).toString('hex')}`;
    this.all.push(marker);
    return marker;
  }

  /** Make a unique trace id. */
  makeTraceId(): string {
    const id = randomBytes(16).toString('hex');
    this.all.push(id);
    return id;
  }

  /** The markers that occur in a text. */
  in(text: string): string[] {
    return this.all.filter((marker) => text.toLowerCase().includes(marker));
  }
}

const TRANSACTION = { transaction_date: '2026-01-15', amount: 1, type: 'CHARGE' };

const service = setUp(() => startService({ CONSOLE: 'on', DEMONSTRATION: 'off' }));
const hidden = new Markers();
const own = new Markers();
let [organisationName, keyLabel] = ['', ''];
let a: World & { ref: AccountPair };
let admin: ConsoleClient;

/** Send an import request with its own id and trace id. */
async function send(
  markers: Markers,
  token: string,
  path: string,
  payload: object,
  account: object = a.ref,
): Promise<number> {
  const reply = await service.call(path, {
    method: 'POST',
    headers: {
      ...{ authorization: `Token ${token}`, 'content-type': 'application/json' },
      ...{ 'x-request-id': markers.make(), traceparent: `00-${markers.makeTraceId()}-00f067aa0ba902b7-01` },
    },
    body: JSON.stringify({ ...account, ...payload }),
  });
  return reply.status;
}

/** Send stored and refused requests with markers in every text that an organisation may choose. */
async function sendEverything(markers: Markers, token: string, what: string): Promise<void> {
  const transaction = { ...TRANSACTION, transaction_id: `${what}-1` };
  const notes = [{ body: `${what} note` }];
  const sent: [status: number, path: string, payload: object, account?: object][] = [
    [201, 'notes/create/', { notes }],
    [201, 'notes/create/', { notes: [{ body: `${what} undone` }] }],
    [201, 'transactions/create/', { transactions: [transaction] }],
    [400, 'notes/create/', { notes, [markers.make()]: 1 }],
    [400, 'notes/create/?dry_run=true', { notes: [{ body: 'x', [markers.make()]: 1 }] }],
    [400, `notes/create/?${markers.make()}=1`, { notes }],
    [400, 'transactions/create/', { transactions: [{ ...transaction, type: markers.make() }] }],
    [400, 'payment-instruction/create/', { vendor: markers.make(), reference: 'r', type: 'CARD' }],
    [404, 'notes/create/', { notes }, { ...a.ref, external_account_number: markers.make() }],
    [400, 'notes/create/', {}, { ...a.ref, external_account_number: markers.make() }],
  ];
  for (const [expected, path, payload, account] of sent) {
    expect([path, await send(markers, token, path, payload, account)]).toEqual([path, expected]);
  }
}

/** The addresses that a page leads to: links, parts that update themselves, and forms that search. */
function addressesOf({ document }: ConsolePage): string[] {
  const links = document.querySelectorAll('a[href], [hx-get]');
  const forms = document.querySelectorAll('form').filter((form) => form.getAttribute('method') !== 'post');
  const searches = forms.flatMap((form) => {
    const action = form.getAttribute('action') ?? '';
    const options = form.querySelectorAll('select').flatMap((select) => {
      const name = select.getAttribute('name') ?? '';
      const values = select.querySelectorAll('option').map((option) => option.getAttribute('value') ?? '');
      return values.map((value) => `${action}?${new URLSearchParams({ [name]: value }).toString()}`);
    });
    return [action, ...options];
  });
  const found = [
    ...links.flatMap((link) => [link.getAttribute('href'), link.getAttribute('hx-get')]),
    ...searches,
  ];
  return found.flatMap((address) => (address?.startsWith('/console') ? [address.replace(/#.*/, '')] : []));
}

/** Every page and file that a viewer can reach from the overview, or from and below a page, by address. */
async function walk(client: ConsoleClient, from = '/console'): Promise<Map<string, ConsolePage>> {
  const pages = new Map<string, ConsolePage>();
  const waiting = from === '/console' ? ['/console', '/console/', '/console/search'] : [from];
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    if (pages.has(address)) continue;
    const page = await client.get(address);
    pages.set(address, page);
    expect(pages.size).toBeLessThan(PAGES_MAX);
    const next = [...addressesOf(page), page.headers.get('location') ?? from];
    waiting.push(...next.filter((one) => one.startsWith(from)));
  }
  return pages;
}

/** The forms on pages below an address that change something: their actions and fields. */
function formsOf(
  pages: ReadonlyMap<string, ConsolePage>,
  below: string,
): Map<string, Record<string, string>> {
  const forms = [...pages.values()].flatMap(({ document }) => document.querySelectorAll('form[method=post]'));
  const found = forms.map((form): [string, Record<string, string>] => {
    const fields = form.querySelectorAll('[name]');
    const values = fields.map(
      (one) => [one.getAttribute('name') ?? '', one.getAttribute('value') ?? ''] as const,
    );
    return [(form.getAttribute('action') ?? '').replace(/\?.*/, ''), Object.fromEntries(values)];
  });
  return new Map(found.filter(([action]) => action.startsWith(below)));
}

/** The state of a supplier that the console's forms can change. */
async function stateOf({ supplier }: World): Promise<unknown> {
  const { sql } = service.database;
  return [
    await sql(
      `SELECT s.status, s.archived_at, array_agg(a.status ORDER BY a.external_account_number) AS accounts
         FROM import_supplier s JOIN account_import a ON a.import_supplier_id = s.id WHERE s.code = $1 GROUP BY s.id`,
      [supplier],
    ),
    await sql('SELECT count(*) FROM supplier_run WHERE import_supplier = $1', [supplier]),
  ];
}

/** Add a failed account, control totals that differ, and a document that was not looked up. */
async function trouble(world: World): Promise<void> {
  const of = new SupplierOperations(service, world);
  await of.stage(['1', '2'], ['1'], { notes: 1 });
  await of.import();
  const notes = [{ body: 'a' }, { body: 'b', document_paths: [{ document_path: 'x.pdf' }] }];
  expect(await of.post('notes/create/', '2', { notes })).toBe(201);
}

/** The markers found on each page. */
function leaks(markers: Markers, pages: ReadonlyMap<string, ConsolePage>): [string, string[]][] {
  return [...pages]
    .map(([address, page]): [string, string[]] => [address, markers.in(page.html + [...page.headers].join())])
    .filter(([, found]) => found.length > 0);
}

let pagesOfAdmin: Promise<Map<string, ConsolePage>> | undefined;
/** All pages that the admin can reach, walked once for all tests. */
function walked(): Promise<Map<string, ConsolePage>> {
  pagesOfAdmin ??= walk(admin);
  return pagesOfAdmin;
}

async function carryOver(supplier: string): Promise<void> {
  const { id, service: totals } = await ObservedTotals.of(service, supplier);
  await totals.carryOver(id);
}

beforeAll(async () => {
  // Long enough on any machine that every answer is that of a completed search.
  Object.assign(service.app.get(ItemSearchService, { strict: false }), { momentMsMax: 60_000 });
  a = await service.given.importedAccount();
  const b = await service.given.organisation();
  await service.given.grant(a.supplier, b.organisationId);
  [organisationName, keyLabel] = [hidden.make(), hidden.make()];
  await service.database.sql('UPDATE organisation SET name = $2 WHERE id = $1', [
    b.organisationId,
    organisationName,
  ]);
  await service.database.sql('UPDATE api_key SET label = $2 WHERE id = $1', [b.apiKeyId, keyLabel]);
  await sendEverything(own, a.token, 'a');
  await sendEverything(hidden, b.token, 'b');
  await service.database.sql(
    `UPDATE import_request r SET undone_at = now()
       FROM note n
      WHERE n.import_supplier_id = r.import_supplier_id AND n.external_account_number = r.external_account_number
        AND n.import_request_id = r.id AND n.body LIKE '% undone'`,
  );
  await waitUntil('the refusals are stored', async () => {
    const [row] = await service.database.sql<{ count: number }>(
      'SELECT count(*)::integer AS count FROM import_refusal',
    );
    return row?.count === 14;
  });
  hidden.all.push(b.apiKeyId, b.organisationId);
  admin = await adminOf(service, a);
});

describe('an admin whose supplier is also granted to another organisation', () => {
  it('reaches no page and no file with a text of the other organisation (A8, C3)', async () => {
    const pages = await walked();
    expect(leaks(hidden, pages)).toEqual([]);
    // The admin's own texts show that the walk reaches the pages with such texts.
    const failures = `/console/suppliers/${a.supplier}/failures`;
    const account = `/console/suppliers/${a.supplier}/accounts/${a.ref.external_account_number}`;
    const withOwn = new Set(leaks(own, pages).map(([address]) => address));
    for (const address of ['/console/requests', account, `${failures}/refusals.csv?period=hour`]) {
      expect([address, withOwn.has(address), pages.get(address)?.status]).toEqual([address, true, 200]);
    }
    expect(pages.get(failures)?.status).toBe(200);
    expect([...withOwn].some((address) => address.startsWith(`${failures}/cause?source=refusals`))).toBe(
      true,
    );
    expect(own.in([...pages.values()].map(({ html }) => html).join())).toHaveLength(own.all.length);
  });

  it('sees none of them at the addresses that an operator reaches (A8, C3)', async () => {
    const ofOperator = await walk(await signInAsOperator(service));
    expect(hidden.in([...ofOperator.values()].map(({ html }) => html).join()).length).toBeGreaterThan(20);
    const pages = new Map<string, ConsolePage>();
    for (const address of ofOperator.keys()) {
      if (address.includes('/search') || hidden.in(address).length > 0) continue;
      pages.set(address, await admin.get(address));
    }
    expect(leaks(hidden, pages)).toEqual([]);
  });

  it('finds nothing by them: the answers are those for a text that nobody has sent (A8, C3)', async () => {
    const stranger = unique('x');
    const pages = [
      ...[
        '/console/search?q=',
        '/console/search/items?q=',
        `/console/search/items?supplier=${a.supplier}&q=`,
      ],
      ...[`/console/suppliers/${a.supplier}/accounts/`],
    ];
    for (const page of pages) {
      const nothing = await admin.get(page + stranger);
      for (const marker of hidden.all) {
        const found = await admin.get(page + marker);
        expect(found.status).toBe(nothing.status);
        expect(found.text.replaceAll(marker, '')).toBe(nothing.text.replaceAll(stranger, ''));
      }
    }
    const ofOwn = await Promise.all(own.all.map((marker) => admin.get(`/console/search?q=${marker}`)));
    expect(ofOwn.filter(({ status }) => status === 303)).toHaveLength(8);
  });

  it('sees of another organisation’s requests only time, endpoint, answer and number (A8, C3)', async () => {
    const requests = rowsOf(await admin.get('/console/requests')).filter((cells) => cells.at(-1) === another);
    const shown = requests.map(([time, outcome, kind, rows, account, supplier]) => {
      expect(time).toMatch(/ ago$|^now$/);
      expect(supplier).toBe(a.supplier);
      return [outcome, kind, rows, account];
    });
    const of = (outcome: string, kind: string, rows = ''): string[] => [outcome, kind, rows, '–'];
    expect(shown).toEqual([
      of('rejected 400', 'notes'),
      of('rejected 404', 'notes'),
      of('rejected 400', 'payment instruction'),
      of('rejected 400', 'transactions'),
      ...Array.from({ length: 3 }, () => of('rejected 400', 'notes')),
      of('stored', 'transactions', '1 of 1'),
      ...Array.from({ length: 2 }, () => of('stored', 'notes', '1 of 1')),
    ]);

    const account = await admin.get(
      `/console/suppliers/${a.supplier}/accounts/${a.ref.external_account_number}`,
    );
    const events = account.document
      .querySelectorAll('.timeline li')
      .map((event) => collapsed(event).replace(/^.* UTC/, ''))
      .filter((event) => event.endsWith(`by ${another}`));
    expect(events).toEqual([
      `Rejected a payment instruction: 400 by ${another}`,
      `Rejected transactions: 400 by ${another}`,
      ...Array.from({ length: 3 }, () => `Rejected notes: 400 by ${another}`),
      `Stored 1 transaction by ${another}`,
      ...Array.from({ length: 2 }, () => `Stored 1 note by ${another}`),
    ]);

    const failures = await admin.get(`/console/suppliers/${a.supplier}/failures`);
    const counted = rowsOf(failures, '#others table').map((cells) => cells.slice(0, 3));
    expect(counted).toEqual([
      ['notes/create/', '400', '4'],
      ['notes/create/', '404', '1'],
      ['payment-instruction/create/', '400', '1'],
      ['transactions/create/', '400', '1'],
    ]);

    const csv = await admin.get(`/console/suppliers/${a.supplier}/failures/refusals.csv`);
    const records: Record<string, string>[] = parse(csv.html, { columns: true });
    const others = records.filter(({ request_id: id }) => id === another);
    expect(others).toHaveLength(7);
    for (const { at, kind, status, request_id, ...hiddenCells } of others) {
      expect([at, kind, status, request_id]).not.toContain('');
      expect(new Set(Object.values(hiddenCells))).toEqual(new Set(['']));
    }
  });

  it('changes nothing by an operator’s form, and reaches no page of a supplier that is not granted (C3)', async () => {
    const [granted, strange] = [await service.given.supplier(), await service.given.supplier()];
    const operator = await signInAsOperator(service);
    const client = await adminOf(service, granted);
    for (const world of [granted, strange]) {
      await trouble(world);
      await carryOver(world.supplier);
      const address = `/console/suppliers/${world.supplier}`;
      const pages = await walk(operator, address);
      const forms = formsOf(pages, address);
      const actions = ['/complete', '/documents', '/failures/retry', '/status'];
      expect([...forms.keys()].sort()).toEqual(actions.map((action) => address + action));
      const before = await stateOf(world);
      for (const [action, fields] of forms) {
        const { status } = await client.post(action, fields, '/console/');
        expect([action, world === strange ? status : [403, 404].includes(status)]).toEqual([
          action,
          world === strange ? 404 : true,
        ]);
      }
      expect(await stateOf(world)).toEqual(before);
      const seen = new Map<string, ConsolePage>();
      for (const path of pages.keys()) seen.set(path, await client.get(path));
      expect([...formsOf(seen, address).keys()]).toEqual([]);
      if (world === strange)
        expect(new Set([...seen.values()].map(({ status }) => status))).toEqual(new Set([404]));
    }
  });

  it('gets none of them by the interface either (A8)', async () => {
    const { supplier, token, ref } = a;
    const account = `${supplier}/${ref.external_account_number}/`;
    for (const path of [
      ...[`account-transfer-status/${account}`, `account-content/${account}?rows=true`],
      ...[`all-account-import-processes/${supplier}/`, `imported-account-import-processes/${supplier}/`],
      ...[`pending-account-import-processes/${supplier}/`, `account-contents/${supplier}/`],
    ]) {
      const { status, body } = await service.get(path, token);
      expect([path, status, hidden.in(JSON.stringify(body))]).toEqual([path, 200, []]);
    }
  });

  it('sees no operator command on any page, whatever is wrong with its suppliers (C3)', async () => {
    const world = await service.given.supplier();
    const client = await adminOf(service, world);
    const [failed, paused] = [await service.given.supplier(), await service.given.supplier()];
    for (const { supplier } of [failed, paused]) await service.given.grant(supplier, world.organisationId);
    await trouble({ ...failed, token: world.token });
    const ofPaused = new SupplierOperations(service, paused);
    await ofPaused.stage(['1']);
    await ofPaused.setStatus('paused');
    const parts = [
      'documents?state=not_looked_up',
      'accounts/1',
      'settings',
      'settings?changed=ongoing',
      'activity',
    ];
    const codes = [world, failed, paused].map(({ supplier }) => supplier);
    for (const code of codes) await carryOver(code);
    const stranger = await service.given.organisation();
    const without = await adminOf(service, stranger);
    const pages = new Map([...(await walked()), ['without a supplier', await without.get('/console/')]]);
    for (const address of ['/console/', '/console/requests', '/console/search?q=nothing']) {
      pages.set(`${address} of ${world.supplier}`, await client.get(address));
    }
    for (const code of codes) {
      for (const part of ['', ...[...parts, 'failures', 'differences'].map((one) => `/${one}`)]) {
        const address = `/console/suppliers/${code}${part}`;
        pages.set(address, await client.get(address));
      }
    }
    const command = new RegExp(`(^|[^\\w-])(${(await commandNames()).join('|')})($|[^\\w-])`);
    const toldOn = ({ document }: ConsolePage): string[] =>
      document
        .querySelectorAll('code')
        .map(({ textContent }) => textContent)
        .filter((text) => command.test(text));
    expect(
      [...pages].map(([address, page]) => [address, toldOn(page)]).filter(([, told]) => told!.length > 0),
    ).toEqual([]);
    const operator = await signInAsOperator(service);
    expect(toldOn(await operator.get(`/console/suppliers/${paused.supplier}`))).not.toEqual([]);
  });
});
