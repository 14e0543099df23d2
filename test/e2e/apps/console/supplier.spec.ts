import { ImportSuppliersService } from '../../../../src/import-suppliers/import-suppliers.service.js';
import {
  collapsed,
  signInAsOperator,
  type ConsoleClient,
  type ConsolePage,
  adminOf,
} from '../../../support/console.js';
import { issueKey } from '../../../support/graphql.js';
import { startService, unique, type World } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { SupplierOperations } from '../../../support/supplier-operations.js';
import { carryOver, statusOf, nameOf } from '../../../support/suppliers.js';

const OPERATOR = unique('mia');

const service = setUp(() => startService({ CONSOLE: 'on' }));
const operator = setUp(() => signInAsOperator(service, OPERATOR));

const addressOf = ({ supplier }: Pick<World, 'supplier'>): string => `/console/suppliers/${supplier}`;
const show = (world: World, client = operator): Promise<ConsolePage> => client.get(addressOf(world));
const settings = (world: World, client = operator): Promise<ConsolePage> =>
  client.get(`${addressOf(world)}/settings`);

function sectionOf({ document }: ConsolePage, heading: string): string {
  const section = document
    .querySelectorAll('section')
    .find((one) => one.querySelector('h2')?.textContent === heading);
  if (!section) throw new Error(`There is no section ${heading}.`);
  return collapsed(section);
}

/** Send the form of the page that sets a status. */
function setStatus(world: World, fields: Record<string, string>, client = operator): Promise<ConsolePage> {
  return client.post(`${addressOf(world)}/status`, fields, `${addressOf(world)}/settings`);
}

describe('the summary of a supplier', () => {
  it('shows how many accounts are staged, imported and loaded (C2, C7)', async () => {
    const world = await service.given.supplier();
    const of = new SupplierOperations(service, world);
    await of.stage(['1', '2', '3']);
    await of.import();
    await of.stage(['4']);
    expect(await of.post('notes/create/', '1', { notes: [{ body: 'a' }] })).toBe(201);
    expect(await of.post('notes/create/', '1', { notes: [{ body: 'b' }] })).toBe(201);
    await carryOver(service, world);
    const page = await show(world);
    const accounts = sectionOf(page, 'Accounts');
    expect(accounts).toContain('Imported 3');
    expect(accounts).toContain('With at least one import 1, imported without one 2');
    expect(sectionOf(page, 'Rows loaded')).toContain('2 import requests stored something, the last one at');
    expect(page.document.querySelector('#progress')?.getAttribute('hx-trigger')).toBe('every 10s');
    const lists = page.document.querySelectorAll('#accounts a').map((link) => link.getAttribute('href'));
    const list = `${addressOf(world)}/accounts`;
    expect(lists).toEqual([
      ...['imported', 'in_progress', 'pending', 'failed'].map((state) => `${list}?state=${state}`),
      ...[`${list}?load=some`, `${list}?load=none`],
    ]);
  });

  it('has a sentence for a supplier without data', async () => {
    const world = await service.given.supplier();
    const page = await show(world);
    expect(page.text).toContain('no account is staged yet.');
    expect(page.text).toContain('Nothing was loaded yet. Requests can be sent');
    expect(page.text).toContain('Nothing was loaded in the last hour.');
    await setStatus(world, { status: 'paused' });
    expect((await show(world)).text).not.toContain('Requests can be sent');
  });

  it('shows the next step: to an operator the command, to an admin what the supplier can do (C2)', async () => {
    const world = await service.given.supplier();
    const { supplier: code } = world;
    const of = new SupplierOperations(service, world);
    const admin = await adminOf(service, world);
    const next = async (): Promise<string[]> => {
      await carryOver(service, world);
      const pages = [await show(world), await show(world, admin)];
      return pages.map(({ document }) => collapsed(document.querySelector('.next-step')!));
    };
    expect(await next()).toEqual([
      `Next: data-import accounts stage ${code} FILE. No account is staged yet.`,
      'Next: give the file of your accounts to the operators of the platform, who stage and import them.',
    ]);
    await of.stage(['1', '2'], [], { notes: 1 });
    expect((await next())[0]).toBe(`Next: data-import accounts import ${code}. 2 accounts are pending.`);
    await of.setStatus('paused');
    expect(await next()).toEqual([
      expect.stringContaining(`supplier set ${code} --status ongoing`),
      'Next: wait. Requests are rejected until the operators of the platform resume the migration.',
    ]);
    await of.setStatus('ongoing');
    await of.import();
    expect(await next()).toEqual([
      'Next: The supplier loads the rest: 2 accounts are not complete yet.',
      'Next: load the rows that are missing, from files with the loader.',
    ]);
    await of.post('notes/create/', '1', { notes: [{ body: 'a' }] });
    await of.post('notes/create/', '2', { notes: [{ body: 'a' }] });
    expect(await next()).toEqual([
      `Next: data-import migration complete ${code}. Every account is imported and matches its control totals.`,
      'Next: nothing is missing: the operators of the platform complete the migration.',
    ]);
    await of.post('notes/create/', '2', { notes: [{ body: 'b' }] });
    expect((await next())[0]).toContain(`migration differences ${code}`);
    await of.stage(['3'], ['3']);
    await of.import();
    expect(await next()).toEqual([
      expect.stringContaining(`Next: data-import accounts retry ${code} --all.`),
      expect.stringMatching(
        /^Next: correct the accounts that failed, .*Also: look at the accounts that differ\./,
      ),
    ]);
  });

  it.each(['no-such-supplier', '%00', 'a%00b', 'a%2Fb', '%3Cscript%3E'])(
    'is the not-found page for %s (C3)',
    async (code) => {
      for (const part of ['', '/settings', '/activity']) {
        const page = await operator.get(`/console/suppliers/${code}${part}`);
        expect([page.status, page.document.querySelector('h1')?.textContent]).toEqual([
          404,
          'Page not found',
        ]);
      }
    },
  );
});

describe('the settings of a supplier', () => {
  it('are shown, also to an admin (C2)', async () => {
    const world = await service.given.supplier();
    for (const client of [operator, await adminOf(service, world)]) {
      expect((await settings(world, client)).text).toContain(`Document rootroot of ${world.supplier}`);
    }
  });

  it('list the API keys without their secrets; for an admin only those of its organisation (C3)', async () => {
    const world = await service.given.supplier();
    const other = await service.given.organisation();
    await service.given.grant(world.supplier, other.organisationId);
    const expires = new Date(Date.now() + 3_600_000);
    const keys = [
      (await issueKey(service, world.organisationId, expires)).key,
      (await issueKey(service, other.organisationId, expires)).key,
    ];
    const [ownName, otherName] = [
      await nameOf(service.database, world),
      await nameOf(service.database, other),
    ];
    const seen = await settings(world);
    expect(sectionOf(seen, 'Organisations and keys')).toContain(ownName);
    expect(sectionOf(seen, 'Organisations and keys')).toContain(otherName);
    const rows = seen.document.querySelectorAll('table.data tr');
    expect(rows.map((row) => row.querySelectorAll('th, td').map(collapsed))).toContainEqual([
      `test (${world.apiKeyId.slice(0, 13)})`,
      'valid',
      expect.any(String),
      'never',
      'never',
      'never',
      '–',
    ]);
    const admin = await adminOf(service, world);
    const own = await settings(world, admin);
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

  it('show the feed readers’ progress to an operator, and no readers to an admin (C3, E6)', async () => {
    const world = await service.given.supplier();
    expect(sectionOf(await settings(world), 'Readers of the feed')).toContain(
      'No named reader has read the changes',
    );
    await service.database.sql(
      `WITH supplier AS (SELECT id FROM import_supplier WHERE code = $1),
       feed AS (INSERT INTO feed (import_supplier_id, last_sequence) SELECT id, 1234 FROM supplier),
       change AS (
         INSERT INTO feed_change (import_supplier_id, sequence, at, type, status)
         SELECT id, 1234, now() - interval '130 seconds', 'supplier.status_changed', 'paused' FROM supplier
       )
       INSERT INTO feed_reader (import_supplier_id, name, platform_key_id, sequence)
       SELECT id, name, uuidv7(), sequence FROM supplier, (VALUES ('billing', 0), ('care', 1234)) AS r (name, sequence)`,
      [world.supplier],
    );
    const page = await settings(world);
    expect(sectionOf(page, 'Readers of the feed')).toMatch(
      /billing[\da-f-]{36}01,2342 min.+care[\da-f-]{36}1,2340–/,
    );
    const own = await settings(world, await adminOf(service, world));
    expect(own.html).not.toContain('Readers of the feed');
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
        `${addressOf(world)}/settings?changed=${status}`,
      ]);
      expect(await statusOf(service.database, world)).toBe(status);
      const page = await operator.get(answer.headers.get('location')!);
      expect(page.document.querySelector('p.notice')?.textContent).toBe(`The supplier is ${status} now.`);
      expect(page.document.querySelector('dl .badge')?.textContent).toBe(status);
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
  });

  it('offer the possible changes of each status, and none to an admin (C3)', async () => {
    const world = await service.given.supplier();
    const buttons = async (client?: ConsoleClient): Promise<string[]> =>
      (await settings(world, client)).document.querySelectorAll('main form button').map(collapsed);
    const admin = await adminOf(service, world);
    expect(await buttons()).toEqual(['Pause']);
    await setStatus(world, { status: 'paused' });
    expect(await buttons()).toEqual(['Resume']);
    const suppliers = service.app.get(ImportSuppliersService, { strict: false });
    await suppliers.change(world.supplier, { status: 'complete' }, OPERATOR);
    expect(await buttons()).toEqual(['Reopen', 'Archive']);
    expect(await buttons(admin)).toEqual([]);
  });

  it.each([
    [{ status: 'complete' }],
    [{ status: 'complete', confirmed: 'yes' }],
    [{ status: 'erased' }],
    [{}],
  ] as Record<string, string>[][])('change nothing when they send %j', async (fields) => {
    const world = await service.given.supplier();
    expect((await setStatus(world, fields)).status).toBe(403);
    expect(await statusOf(service.database, world)).toBe('ongoing');
  });

  it('archive a complete supplier and show it again, for operators only (S11, C3)', async () => {
    const world = await service.given.supplier();
    const archive = (archived: string, client = operator): Promise<ConsolePage> =>
      client.post(`${addressOf(world)}/archive`, { archived }, addressOf(world));
    expect((await archive('yes')).status).toBe(403);
    const suppliers = service.app.get(ImportSuppliersService, { strict: false });
    await suppliers.change(world.supplier, { status: 'complete' }, OPERATOR);
    expect((await archive('yes', await adminOf(service, world))).status).toBe(404);
    expect((await archive('perhaps')).status).toBe(403);
    expect((await archive('yes')).status).toBe(303);
    expect((await show(world)).document.querySelector('p.facts')?.textContent).toContain('archived');
    const page = await settings(world);
    expect(page.document.querySelectorAll('main form button').map(collapsed)).toEqual([
      'Reopen',
      'Unarchive',
    ]);
    expect((await archive('no')).status).toBe(303);
    const activity = await operator.get(`${addressOf(world)}/activity`);
    const events = activity.document.querySelectorAll('ol.timeline li').map(collapsed);
    expect(events[0]).toContain(`Unarchived by ${OPERATOR}`);
    expect(events[1]).toContain(`Archived by ${OPERATOR}`);
  });

  it('do not report a change that was not made', async () => {
    const world = await service.given.supplier();
    const page = await operator.get(`${addressOf(world)}/settings?changed=complete`);
    expect(page.document.querySelector('p.notice')).toBeNull();
  });
});

describe('the activity of a supplier', () => {
  const activity = (world: World, query = '', client = operator): Promise<ConsolePage> =>
    client.get(`${addressOf(world)}/activity${query}`);
  /** The events without the age at their beginning. */
  const eventsOf = ({ document }: ConsolePage): string[] =>
    document
      .querySelectorAll('ol.timeline li')
      .map((event) => collapsed(event).replace(/^(now|.+? ago)/, ''));

  it('has runs with their counts and how long they took, and changes, newest first (C2, O6)', async () => {
    const world = await service.given.supplier();
    const of = new SupplierOperations(service, world);
    await of.stage(['1', '2', '3'], ['3']);
    await of.import();
    await of.setControls(['1'], { notes: 1 });
    const suppliers = service.app.get(ImportSuppliersService, { strict: false });
    await suppliers.change(world.supplier, { documentCheck: 'reject', customerEmails: true }, 'noor');
    await setStatus(world, { status: 'paused' });
    const runs: unknown[] = [
      expect.stringMatching(/^Change of control totals by test completeChanged1Duration\d+ ms$/),
      expect.stringMatching(/^Import of accounts by test completeFailed1Imported2Duration[\d.]+ m?s$/),
      expect.stringMatching(/^Staging of accounts by test completeStaged3Duration[\d.]+ m?s$/),
    ];
    const changes = [
      `Changed by ${OPERATOR}Statusongoing → paused`,
      'Changed by noorDocument checkdeferred → rejectCustomer emailsoff → on',
    ];
    expect(eventsOf(await activity(world))).toEqual([...changes, ...runs]);
    expect(eventsOf(await activity(world, '?show=runs'))).toEqual(runs);
    expect(eventsOf(await activity(world, '?show=changes'))).toEqual(changes);
  });

  it('shows whether a run without an end is running or was killed, and the account and reason of an erasure (O6)', async () => {
    const world = await service.given.supplier();
    const of = new SupplierOperations(service, world);
    await of.stage(['1', '2']);
    await of.import();
    await of.erase('2');
    await service.database.sql(
      `INSERT INTO audit_entry (operator, action, subject, import_supplier, details)
       VALUES ('noor', 'accounts.import', $1, $1, '{"run": "x", "event": "started"}')`,
      [world.supplier],
    );
    const [running, erasure] = eventsOf(await activity(world, '?show=runs'));
    expect(running).toBe(
      'Import of accounts by noor runningEndNot recorded: it is still running, or was killed',
    );
    expect(erasure).toMatch(/^Erasure of an account by test completeAccount2Duration.*Reasontest$/);
  });

  it('hides operators, reasons, other organisations and viewers from an admin (A8, C3)', async () => {
    const world = await service.given.supplier();
    const other = await service.given.organisation();
    const suppliers = service.app.get(ImportSuppliersService, { strict: false });
    await suppliers.grant(world.supplier, other.organisationId, OPERATOR);
    await setStatus(world, { status: 'paused' });
    const of = new SupplierOperations(service, world);
    await of.erase(null);
    const admin = await adminOf(service, world);
    const page = await activity(world, '', admin);
    expect(eventsOf(page)).toEqual([
      expect.stringMatching(/^Erasure of all accounts by the platform completeDuration[\d.]+ m?s$/),
      'Changed by the platformStatusongoing → paused',
    ]);
    expect(page.html).not.toContain(OPERATOR);
    const choices = ({ document }: ConsolePage): string[] =>
      document.querySelectorAll('nav.choices a').map(collapsed);
    expect(choices(page)).toEqual(['Runs and changes', 'Runs', 'Changes']);
    const without = (text: string): string => text.replaceAll(/now|\d+ \w+ ago/g, '');
    expect(without((await activity(world, '?show=views', admin)).text)).toBe(without(page.text));
    const ofOperator = await activity(world);
    expect(choices(ofOperator)).toEqual(['Runs and changes', 'Runs', 'Changes', 'Views']);
    expect(eventsOf(ofOperator)).toContain(
      `Access granted by ${OPERATOR}Organisation${await nameOf(service.database, other)}`,
    );
  });

  it('shows operators who has seen which account (C2, O6)', async () => {
    const world = await service.given.importedAccount();
    const { external_account_number: number } = world.ref;
    const admin = await adminOf(service, world);
    for (const client of [operator, operator, admin])
      await client.get(`${addressOf(world)}/accounts/${number}`);
    await operator.get(`${addressOf(world)}/accounts.csv`);
    const [file, ofAdmin, ofOperator] = eventsOf(await activity(world, '?show=views'));
    expect(file).toBe(`CSV file of accounts by ${OPERATOR}`);
    expect(ofAdmin).toBe(
      `Account page by ${await nameOf(service.database, world)}, key testAccount${number}`,
    );
    expect(ofOperator).toContain(`Account page by ${OPERATOR}Account${number}Views in this hour2Last view`);
  });

  it('has pages, each continuing where the one before ended (C2)', async () => {
    const world = await service.given.supplier();
    await service.database.sql(
      `INSERT INTO audit_entry (operator, action, subject, import_supplier, details, at)
       SELECT 'n' || n, 'supplier.create', $1, $1, '{}', now() - interval '1 minute' * (n / 2) FROM generate_series(1, 120) n`,
      [world.supplier],
    );
    const seen = (await operator.pages(`${addressOf(world)}/activity`)).flatMap(eventsOf);
    expect(new Set(seen).size).toBe(120);
    expect(seen).toHaveLength(120);
  });
});
