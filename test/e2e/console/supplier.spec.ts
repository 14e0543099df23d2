import { ImportSuppliersService } from '../../../src/import-suppliers/import-suppliers.service.js';
import { TotalsService } from '../../../src/totals/totals.service.js';
import {
  collapsed,
  formOf,
  rowsOf,
  signInAsAdmin,
  signInAsOperator,
  tokenIn,
  type ConsoleClient,
  type ConsolePage,
} from '../../support/console.js';
import { issueKey } from '../../support/graphql.js';
import { startService, unique, type TestService, type World } from '../../support/service.js';
import { SupplierOperations } from '../../support/supplier-operations.js';

const OPERATOR = unique('mia');

let service: TestService;
let operator: ConsoleClient;
beforeAll(async () => {
  service = await startService({ CONSOLE: 'on' });
  operator = await signInAsOperator(service, OPERATOR);
});
afterAll(async () => {
  await service.stop();
});

async function adminOf({ organisationId }: Pick<World, 'organisationId'>): Promise<ConsoleClient> {
  return signInAsAdmin(service, (await issueKey(service, organisationId)).key);
}

async function carryOver({ supplier }: World): Promise<void> {
  const [row] = await service.database.sql<{ id: number }>('SELECT id FROM import_supplier WHERE code = $1', [
    supplier,
  ]);
  await service.app.get(TotalsService, { strict: false }).carryOver(row!.id);
}

const addressOf = ({ supplier }: Pick<World, 'supplier'>): string => `/console/suppliers/${supplier}`;
const show = (world: World, client = operator): Promise<ConsolePage> => client.get(addressOf(world));

function sectionOf({ document }: ConsolePage, heading: string): string {
  const section = document
    .querySelectorAll('section')
    .find((one) => one.querySelector('h2')?.textContent === heading);
  if (!section) throw new Error(`There is no section ${heading}.`);
  return collapsed(section);
}

async function nameOf({ organisationId }: Pick<World, 'organisationId'>): Promise<string> {
  const [row] = await service.database.sql<{ name: string }>('SELECT name FROM organisation WHERE id = $1', [
    organisationId,
  ]);
  return row!.name;
}

async function statusOf({ supplier }: World): Promise<string> {
  const [row] = await service.database.sql<{ status: string }>(
    'SELECT status FROM import_supplier WHERE code = $1',
    [supplier],
  );
  return row!.status;
}

/** Send the form of the page that sets a status. */
function setStatus(world: World, fields: Record<string, string>, client = operator): Promise<ConsolePage> {
  return client.post(`${addressOf(world)}/status`, fields, addressOf(world));
}

describe('the page of a supplier', () => {
  it('shows how many accounts are staged, imported and loaded, and its settings (C2, C7)', async () => {
    const world = await service.given.supplier();
    const of = new SupplierOperations(service, world);
    await of.stage(['1', '2', '3']);
    await of.import();
    await of.stage(['4']);
    expect(await of.post('notes/create/', '1', { notes: [{ body: 'a' }] })).toBe(201);
    expect(await of.post('notes/create/', '1', { notes: [{ body: 'b' }] })).toBe(201);
    await carryOver(world);
    const page = await show(world);
    const accounts = sectionOf(page, 'Accounts');
    expect(accounts).toContain('Staged 4');
    expect(accounts).toContain('Imported 3');
    expect(accounts).toContain('With at least one import 1');
    expect(accounts).toContain('Imported accounts without any load: 2');
    expect(sectionOf(page, 'Items loaded')).toContain('2 import requests stored something, the last one at');
    expect(sectionOf(page, 'Settings')).toContain(`Document rootroot of ${world.supplier}`);
    expect(page.document.querySelector('#progress')?.getAttribute('hx-trigger')).toBe('every 10s');
    const lists = page.document.querySelectorAll('#accounts a').map((link) => link.getAttribute('href'));
    const list = `${addressOf(world)}/accounts`;
    expect(lists).toEqual([
      ...['imported', 'in_progress', 'pending', 'failed'].map((state) => `${list}?state=${state}`),
      ...[list, `${list}?state=imported`, `${list}?load=some`, `${list}?load=none`],
    ]);
    const links = page.document.querySelectorAll('ul.links a').map((link) => link.getAttribute('href'));
    expect(links).toEqual([
      `${addressOf(world)}/failures`,
      `/console/requests?supplier=${world.supplier}`,
      '/docs/loader/',
    ]);
  });

  it('has words for a supplier without anything', async () => {
    const page = await show(await service.given.supplier());
    expect(page.text).toContain('Nothing needs attention.');
    expect(page.text).toContain('Staged 0');
    expect(page.text).toContain('Nothing was loaded yet.');
    expect(page.text).toContain('Nothing was loaded in the last hour.');
    expect(page.text).toContain('No change of this supplier is recorded.');
  });

  it('says how many documents are missing and not looked up yet, and leads to both (F5)', async () => {
    const page = await show(await service.given.supplier());
    const links = page.document
      .querySelectorAll('#items a')
      .filter((link) => link.getAttribute('href')?.includes('/documents'));
    expect(links.map((link) => link.textContent)).toEqual([
      ...['0 missing documents', '0 documents not looked up yet'],
    ]);
  });

  it('shows the keys of the organisations, and never a key; to an admin only the own ones (C3)', async () => {
    const world = await service.given.supplier();
    const other = await service.given.organisation();
    await service.given.grant(world.supplier, other.organisationId);
    const expires = new Date(Date.now() + 3_600_000);
    const keys = [
      (await issueKey(service, world.organisationId, expires)).key,
      (await issueKey(service, other.organisationId, expires)).key,
    ];
    const [ownName, otherName] = [await nameOf(world), await nameOf(other)];
    const seen = await show(world);
    expect(sectionOf(seen, 'Organisations and keys')).toContain(ownName);
    expect(sectionOf(seen, 'Organisations and keys')).toContain(otherName);
    const [first] = rowsOf(seen, '.data');
    expect(first).toEqual(['test', 'valid', expect.any(String), 'never', 'never', 'never', '–']);
    const admin = await adminOf(world);
    const own = await show(world, admin);
    expect(sectionOf(own, 'Organisations and keys')).toContain('Another organisation');
    expect(own.html).not.toContain(otherName);
    expect(own.document.querySelectorAll('table.data caption').map(collapsed)).toEqual([
      `API keys of ${ownName}`,
    ]);
    for (const key of keys) {
      const secret = key.slice(-43);
      expect(seen.html).not.toContain(secret);
      expect(own.html).not.toContain(secret);
    }
  });

  it('shows an operator how far the readers of the feed are, and an admin nothing of them (C3, E6)', async () => {
    const world = await service.given.supplier();
    expect(sectionOf(await show(world), 'Readers of the feed')).toContain('Nobody has read the changes');
    await service.database.sql(
      `WITH supplier AS (SELECT id FROM import_supplier WHERE code = $1),
       feed AS (INSERT INTO feed (import_supplier_id, last_sequence) SELECT id, 1234 FROM supplier),
       change AS (
         INSERT INTO feed_change (import_supplier_id, sequence, at, type, status)
         SELECT id, 1234, now() - interval '130 seconds', 'supplier.status_changed', 'paused' FROM supplier
       )
       INSERT INTO feed_reader (import_supplier_id, name, sequence)
       SELECT id, name, sequence FROM supplier, (VALUES ('billing', 0), ('care', 1234)) AS r (name, sequence)`,
      [world.supplier],
    );
    const page = await show(world);
    expect(sectionOf(page, 'Readers of the feed')).toMatch(/billing01,2342 min.+care1,2340–/);
    const own = await show(world, await adminOf(world));
    expect(own.html).not.toContain('Readers of the feed');
  });

  it.each(['no-such-supplier', '%00', 'a%00b', 'a%2Fb', '%3Cscript%3E'])(
    'is the page that does not exist for %s (C3)',
    async (code) => {
      const page = await operator.get(`/console/suppliers/${code}`);
      expect([page.status, page.document.querySelector('h1')?.textContent]).toEqual([404, 'Page not found']);
    },
  );

  it('of another organisation is the page that does not exist, its form too (C3)', async () => {
    const world = await service.given.supplier();
    const stranger = await service.given.supplier();
    const admin = await adminOf(stranger);
    const page = await show(world, admin);
    const unknown = await admin.get('/console/suppliers/no-such-supplier');
    expect([page.status, page.text]).toEqual([404, unknown.text]);
    const sent = await admin.post(`${addressOf(world)}/status`, { status: 'paused' }, '/console/');
    expect([sent.status, sent.text]).toEqual([404, unknown.text]);
    expect(await statusOf(world)).toBe('ongoing');
  });
});

describe('the forms of a supplier', () => {
  it('pause, resume and reopen it, recorded with the name of the operator (C3, O6)', async () => {
    const world = await service.given.supplier();
    const path: [fields: Record<string, string>, status: string][] = [
      [{ status: 'paused' }, 'paused'],
      [{ status: 'ongoing' }, 'ongoing'],
    ];
    for (const [fields, status] of path) {
      const answer = await setStatus(world, fields);
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        `${addressOf(world)}?changed=${status}`,
      ]);
      expect(await statusOf(world)).toBe(status);
      const page = await operator.get(answer.headers.get('location')!);
      expect(page.document.querySelector('p.notice')?.textContent).toBe(`The supplier is ${status} now.`);
      expect(page.document.querySelector('#progress .badge')?.textContent).toBe(status);
    }
    const entries = await service.database.sql(
      `SELECT operator, action, details FROM audit_entry WHERE import_supplier = $1 ORDER BY at, id`,
      [world.supplier],
    );
    const changed = (from: string, to: string): object => ({
      operator: OPERATOR,
      action: 'supplier.set',
      details: { from: { status: from }, to: { status: to } },
    });
    expect(entries).toEqual([changed('ongoing', 'paused'), changed('paused', 'ongoing')]);
    const events = (await show(world)).document.querySelectorAll('ol.timeline li').map(collapsed);
    expect(events).toHaveLength(2);
    expect(events[0]).toContain(`Status: paused → ongoing by ${OPERATOR}`);
  });

  it('offer what can be done in each status, and nothing to an admin (C3)', async () => {
    const world = await service.given.supplier();
    const buttons = async (client?: ConsoleClient): Promise<string[]> =>
      (await show(world, client)).document.querySelectorAll('main form button').map(collapsed);
    const admin = await adminOf(world);
    expect(await buttons()).toEqual(['Pause']);
    await setStatus(world, { status: 'paused' });
    expect(await buttons()).toEqual(['Resume']);
    const suppliers = service.app.get(ImportSuppliersService, { strict: false });
    await suppliers.change(world.supplier, { status: 'complete' }, OPERATOR);
    expect(await buttons()).toEqual(['Reopen', 'Archive']);
    expect(await buttons(admin)).toEqual([]);
    const events = (await show(world, admin)).document.querySelectorAll('ol.timeline li').map(collapsed);
    expect(events[0]).toContain('Status: paused → complete by the platform');
    expect((await show(world, admin)).html).not.toContain(OPERATOR);
  });

  it.each([
    [{ status: 'complete' }],
    [{ status: 'complete', confirmed: 'yes' }],
    [{ status: 'erased' }],
    [{}],
  ] as Record<string, string>[][])('change nothing when they send %j', async (fields) => {
    const world = await service.given.supplier();
    expect((await setStatus(world, fields)).status).toBe(403);
    expect(await statusOf(world)).toBe('ongoing');
  });

  it('change nothing without the token of the session, and for an admin (C3)', async () => {
    const world = await service.given.supplier();
    const action = `${addressOf(world)}/status`;
    const admin = await adminOf(world);
    const strange = tokenIn(await (await signInAsOperator(service)).get(addressOf(world)));
    for (const token of [{}, { _csrf: 'x' }, { _csrf: strange }] as Record<string, string>[]) {
      const form = formOf({ status: 'paused', ...token });
      expect((await operator.send(action, form)).status).toBe(403);
    }
    expect((await admin.post(action, { status: 'paused' }, '/console/')).status).toBe(403);
    expect(await statusOf(world)).toBe('ongoing');
  });

  it('archive a supplier that is complete, and show it again, for operators only (S11, C3)', async () => {
    const world = await service.given.supplier();
    const archive = (archived: string, client = operator): Promise<ConsolePage> =>
      client.post(`${addressOf(world)}/archive`, { archived }, addressOf(world));
    expect((await archive('yes')).status).toBe(403);
    const suppliers = service.app.get(ImportSuppliersService, { strict: false });
    await suppliers.change(world.supplier, { status: 'complete' }, OPERATOR);
    expect((await archive('yes', await adminOf(world))).status).toBe(403);
    expect((await archive('perhaps')).status).toBe(403);
    expect((await archive('yes')).status).toBe(303);
    const page = await show(world);
    expect(page.document.querySelector('p.facts')?.textContent).toContain('archived');
    expect(page.document.querySelectorAll('main form button').map(collapsed)).toEqual([
      'Reopen',
      'Unarchive',
    ]);
    expect((await archive('no')).status).toBe(303);
    const events = (await show(world)).document.querySelectorAll('ol.timeline li').map(collapsed);
    expect(events[0]).toContain(`Archived no longer by ${OPERATOR}`);
    expect(events[1]).toContain(`Archived by ${OPERATOR}`);
  });

  it('say nothing of a change that has not been made', async () => {
    const world = await service.given.supplier();
    const page = await operator.get(`${addressOf(world)}?changed=complete`);
    expect(page.document.querySelector('p.notice')).toBeNull();
  });

  it('say what the commands have set', async () => {
    const world = await service.given.supplier();
    const suppliers = service.app.get(ImportSuppliersService, { strict: false });
    await suppliers.change(world.supplier, { documentCheck: 'reject', customerEmails: true }, 'noor');
    const [event] = (await show(world)).document.querySelectorAll('ol.timeline li').map(collapsed);
    expect(event).toContain('Document check: deferred → reject, Customer e-mails: off → on by noor');
  });
});
