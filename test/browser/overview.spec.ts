import { signInAsOperator } from '../support/console.js';
import { TestBrowser } from '../support/browser.js';
import { startService, type World } from '../support/service.js';
import { setUp } from '../support/set-up.js';
import { SupplierOperations } from '../support/supplier-operations.js';
import { ObservedTotals } from '../support/totals.js';

const SUPPLIERS = 12;
const WINDOW = { width: 1440, height: 900 };

const service = setUp(() => startService({ CONSOLE: 'on' }));
const browser = setUp(() => TestBrowser.launch());

/** A supplier with accounts in each state, problems, some of the expected rows, and refusals. */
async function busySupplier(name: string): Promise<World> {
  const world = await service.given.supplier({ name });
  const of = new SupplierOperations(service, world);
  await of.stage(['1', '2', 'failed'], ['failed'], { notes: 2, transactions: { count: 5 } });
  await of.import();
  await of.stage(['pending'], [], { notes: 2, transactions: { count: 5 } });
  await of.post('notes/create/', '1', { notes: [{ body: 'a' }, { body: 'b' }, { body: 'c' }] });
  const { id, service: totals } = await ObservedTotals.of(service, world.supplier);
  await totals.carryOver(id);
  return world;
}

it('the overview shows twelve suppliers on a screen of 900 pixels (C2)', async () => {
  for (let count = 0; count < SUPPLIERS; count += 1) await busySupplier(`Northern Gas ${count + 1}`);
  for (let count = 0; count < 3; count += 1) {
    const { supplier } = await service.given.supplier();
    await service.database.sql(`UPDATE import_supplier SET status = 'complete' WHERE code = $1`, [supplier]);
  }
  const { page } = await browser.open(service.baseUrl, { as: await signInAsOperator(service) });
  await page.setViewportSize(WINDOW);
  await page.goto('/console/');
  const rows = page.locator('#suppliers > .scroll tbody tr');
  expect(await rows.count()).toBe(SUPPLIERS);
  const last = await rows.last().boundingBox();
  const folded = await page.locator('details#complete > summary').boundingBox();
  expect(last!.y + last!.height).toBeLessThanOrEqual(WINDOW.height);
  expect(folded!.y + folded!.height).toBeLessThanOrEqual(WINDOW.height);

  await page.context().close();
});

it('the summary of a supplier shows on a screen of 900 pixels whether it is on track and what is stuck (C2)', async () => {
  const { supplier } = await busySupplier('Southern Gas');
  const { page } = await browser.open(service.baseUrl, { as: await signInAsOperator(service) });
  await page.setViewportSize(WINDOW);
  await page.goto(`/console/suppliers/${supplier}`);
  for (const part of ['.next-step', '#attention', '#accounts', '#items', '#control']) {
    const box = await page.locator(part).boundingBox();
    expect([part, box!.y + box!.height <= WINDOW.height]).toEqual([part, true]);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  const columnOf = async (part: string): Promise<number> => (await page.locator(part).boundingBox())!.x;
  expect(await columnOf('#history')).toBe(await columnOf('#accounts'));
  await page.goto(`/console/suppliers/${supplier}/accounts/1`);
  expect(await columnOf('#transactions')).toBe(await columnOf('#account'));
  await page.context().close();
});
