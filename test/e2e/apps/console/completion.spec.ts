import {
  collapsed,
  signInAsOperator,
  type ConsoleClient,
  type ConsolePage,
  adminOf,
} from '../../../support/console.js';
import { startService, unique, type World } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { SupplierOperations } from '../../../support/supplier-operations.js';
import { waitUntil } from '../../../support/wait-until.js';
import { carryOver, statusOf } from '../../../support/suppliers.js';

const OPERATOR = unique('mia');

const service = setUp(() => startService({ CONSOLE: 'on' }));
const operator = setUp(() => signInAsOperator(service, OPERATOR));

const supplierAddress = ({ supplier }: Pick<World, 'supplier'>): string => `/console/suppliers/${supplier}`;
const addressOf = (world: Pick<World, 'supplier'>): string => `${supplierAddress(world)}/complete`;

function complete(
  world: World,
  fields: Record<string, string> = {},
  client = operator,
): Promise<ConsolePage> {
  return client.post(addressOf(world), fields, client === operator ? addressOf(world) : '/console/');
}

/** A supplier with one account of each kind: imported and correct, imported and different, failed, pending. */
async function incomplete(): Promise<World> {
  const world = await service.given.supplier();
  const of = new SupplierOperations(service, world);
  await of.stage(['whole', 'failing'], ['failing']);
  await of.stage(['differing'], [], { notes: 1 });
  await of.import();
  await of.stage(['late-1', 'late-2']);
  await carryOver(service, world);
  return world;
}

function changesOf({ supplier }: World): Promise<{ operator: string; action: string; details: object }[]> {
  return service.database.sql(
    `SELECT operator, action, details FROM audit_entry
      WHERE import_supplier = $1 AND action LIKE 'supplier.%' ORDER BY at, id`,
    [supplier],
  );
}

const MISSING = ['2 accounts: pending', '1 account: failed', '1 account of 1 with control totals: different'];

describe('completing a supplier', () => {
  it('lists what is missing, with the pages that show it (C10, C13)', async () => {
    const world = await incomplete();
    const page = await operator.get(addressOf(world));
    expect(page.document.querySelectorAll('#missing li').map(collapsed)).toEqual(MISSING);
    const links = page.document.querySelectorAll('#missing a').map((link) => link.getAttribute('href'));
    expect(links).toEqual([
      `${supplierAddress(world)}/accounts?state=pending`,
      `${supplierAddress(world)}/accounts?state=failed`,
      `${supplierAddress(world)}/differences`,
    ]);
    const offered = (await operator.get(`${supplierAddress(world)}/settings`)).document
      .querySelectorAll('#status a')
      .map((link) => link.getAttribute('href'));
    expect(offered).toEqual([addressOf(world)]);
  });

  it('is refused while anything is missing, as by the command, and changes nothing (C13, V6)', async () => {
    const world = await incomplete();
    const page = await complete(world);
    expect(page.status).toBe(400);
    expect(page.document.querySelector('[role=alert]')?.textContent).toBe(
      'Nothing was changed: the migration is not complete.',
    );
    expect(page.document.querySelectorAll('#missing li').map(collapsed)).toContain(MISSING[0]);
    expect([await statusOf(service.database, world), await changesOf(world)]).toEqual(['ongoing', []]);
  });

  it('counts the rows, as the command does, including changes that the totals lack (C13, V6)', async () => {
    const world = await service.given.supplier();
    const of = new SupplierOperations(service, world);
    await of.stage(['a'], [], { notes: 0 });
    await of.import();
    await carryOver(service, world);
    const { document } = await operator.get(addressOf(world));
    expect(document.querySelector('#missing')).toBeNull();
    await service.database.sql(
      `UPDATE account_control c SET notes = 1 FROM import_supplier s
        WHERE s.id = c.import_supplier_id AND s.code = $1`,
      [world.supplier],
    );
    const page = await complete(world);
    expect([page.status, page.text]).toEqual([400, expect.stringContaining(MISSING[2]!)]);
    expect(await statusOf(service.database, world)).toBe('ongoing');
  });

  it('completes a whole supplier with one button, recorded with the counts (C13, O6)', async () => {
    const world = await service.given.supplier();
    const of = new SupplierOperations(service, world);
    await of.stage(['a']);
    await of.import();
    const page = await complete(world);
    expect([page.status, page.headers.get('location')]).toEqual([
      303,
      `${supplierAddress(world)}/settings?changed=complete`,
    ]);
    expect(await statusOf(service.database, world)).toBe('complete');
    expect(await changesOf(world)).toMatchObject([
      { action: 'supplier.set', details: { to: { status: 'paused' } } },
      { operator: OPERATOR, action: 'supplier.complete', details: { accounts: { imported: 1 } } },
    ]);
    const again = await operator.get(addressOf(world));
    expect([again.status, again.headers.get('location')]).toEqual([303, supplierAddress(world)]);
  });

  it('by force takes the code of the supplier and a reason, and is recorded as forced (C13, O6)', async () => {
    const world = await incomplete();
    const { supplier: code } = world;
    const wrong: [fields: Record<string, string>, sentence: string][] = [
      [
        { anyway: 'yes', code: code.toLowerCase(), reason: 'agreed' },
        `Type the code ${code} to complete it anyway.`,
      ],
      [{ anyway: 'yes', code: '', reason: 'agreed' }, `Type the code ${code} to complete it anyway.`],
      [{ anyway: 'yes', code, reason: ' \n' }, 'Enter the reason why it is completed anyway.'],
      [{ anyway: 'yes' }, `Type the code ${code} to complete it anyway.`],
    ];
    for (const [fields, sentence] of wrong) {
      const page = await complete(world, fields);
      expect([page.status, page.document.querySelector('[role=alert]')?.textContent]).toEqual([
        400,
        sentence,
      ]);
      const kept = page.document.querySelector('textarea')?.textContent.trim();
      expect(kept).toBe(fields.reason?.trim() ?? '');
    }
    expect((await complete(world, { anyway: 'no' })).status).toBe(403);
    expect([await statusOf(service.database, world), await changesOf(world)]).toEqual(['ongoing', []]);
    const done = await complete(world, { anyway: 'yes', code: ` ${code} `, reason: ' The rest is void ' });
    expect(done.status).toBe(303);
    expect(await statusOf(service.database, world)).toBe('complete');
    expect((await changesOf(world)).at(-1)).toMatchObject({
      operator: OPERATOR,
      action: 'supplier.complete',
      details: { forced: true, reason: 'The rest is void', accounts: { pending: 2, failed: 1 } },
    });
    const events = async (client: ConsoleClient): Promise<string> =>
      collapsed(
        (await client.get(`${supplierAddress(world)}/activity`)).document.querySelector('ol.timeline li')!,
      );
    expect(await events(operator)).toMatch(
      new RegExp(`Completed by ${OPERATOR}Forcedon.*paused → completeReasonThe rest is void.*pending 2`),
    );
    const admin = await adminOf(service, world);
    expect(await events(admin)).toMatch(/Completed by the platform.*Forcedon.*Statuspaused → complete$/);
  });

  it('names the command when counting takes too long for a page (C13)', async () => {
    const slow = await startService({ CONSOLE: 'on', DATABASE_STATEMENT_TIMEOUT_MS: '500' });
    const world = await slow.given.supplier();
    const client = await signInAsOperator(slow);
    const end = await slow.database.lock('account_control', 'ACCESS EXCLUSIVE');
    const page = await client.post(addressOf(world), {}, addressOf(world));
    await end();
    await slow.stop();
    expect([page.status, page.document.querySelector('[role=alert]')?.textContent]).toEqual([
      400,
      `Counting the rows takes longer than a page may. The supplier is ongoing. The command "data-import migration complete ${world.supplier}" has no limit.`,
    ]);
  });

  it('restores the supplier’s status when only the second count takes too long (C13, O6)', async () => {
    const slow = await startService({ CONSOLE: 'on', DATABASE_STATEMENT_TIMEOUT_MS: '500' });
    const world = await slow.given.supplier();
    const client = await signInAsOperator(slow);
    const status = async (): Promise<unknown> =>
      (await slow.database.sql('SELECT status FROM import_supplier WHERE code = $1', [world.supplier]))[0];
    const endRequest = await slow.database.lock('note', 'ROW EXCLUSIVE');
    const sent = client.post(addressOf(world), {}, addressOf(world));
    await waitUntil('it waits for the request', async () =>
      JSON.stringify(await status()).includes('paused'),
    );
    const end = await slow.database.lock('account_control', 'ACCESS EXCLUSIVE');
    await endRequest();
    const page = await sent;
    await end();
    const entries = await slow.database.sql(
      `SELECT details -> 'to' ->> 'status' AS status FROM audit_entry WHERE import_supplier = $1 ORDER BY at`,
      [world.supplier],
    );
    expect([page.status, await status(), entries]).toEqual([
      ...[400, { status: 'ongoing' }],
      [{ status: 'paused' }, { status: 'ongoing' }],
    ]);
    expect(page.text).toContain('The supplier is ongoing.');
    await slow.stop();
  });
});
