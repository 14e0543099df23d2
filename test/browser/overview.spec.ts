import { signInAsOperator } from '../support/console.js';
import { TestBrowser } from '../support/browser.js';
import { startService, type World } from '../support/service.js';
import { setUp } from '../support/set-up.js';
import { SupplierOperations } from '../support/supplier-operations.js';
import { ObservedTotals } from '../support/totals.js';
import { waitUntil } from '../support/wait-until.js';

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

it('a step of the chart shows its values on focus and hover, and keeps the focus when the page updates (C16)', async () => {
  const world = await busySupplier('Southern Power');
  const { page } = await browser.open(service.baseUrl, { as: await signInAsOperator(service) });
  await page.clock.install();
  await page.goto(`/console/?supplier=${world.supplier}`);
  const steps = page.locator('.chart-step');
  const values = page.locator('.chart-values');
  const titleOf = (index: number): Promise<string | null> => steps.nth(index).locator('title').textContent();
  const focused = (): Promise<string> => page.evaluate<string>('document.activeElement.id');

  await page.locator('#chart-supplier > summary').focus();
  await page.keyboard.press('Tab');
  expect(await focused()).toBe(await steps.last().getAttribute('id'));
  expect(await values.textContent()).toBe(await titleOf(59));
  for (const [key, index] of [
    ['ArrowLeft', 58],
    ['PageUp', 48],
    ['Home', 0],
    ['ArrowLeft', 0],
    ['ArrowRight', 1],
    ['End', 59],
    ['ArrowRight', 59],
    ['ArrowLeft', 58],
    ['ArrowLeft', 57],
  ] as const) {
    await page.keyboard.press(key);
    expect([key, await focused()]).toEqual([key, await steps.nth(index).getAttribute('id')]);
    expect([key, await values.textContent()]).toEqual([key, await titleOf(index)]);
  }

  const before = await focused();
  const of = new SupplierOperations(service, world);
  await of.post('notes/create/', '1', { notes: [{ body: 'd' }, { body: 'e' }] });
  const { id, service: totals } = await ObservedTotals.of(service, world.supplier);
  await totals.carryOver(id);
  const notes = page.locator('.legend.kinds strong').first();
  await waitUntil('the page has updated itself', async () => {
    await page.clock.runFor(1_000);
    return (await notes.textContent()) === '5';
  });
  expect(await focused()).toBe(before);
  const text = await page.locator(`#${before} title`).textContent();
  expect(await values.textContent()).toBe(text);
  await page.keyboard.press('ArrowRight');
  expect(await focused()).not.toBe(before);

  await steps.nth(5).hover();
  expect(await values.textContent()).toBe(await titleOf(5));
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
  await page.context().close();
});
