import type { Locator } from 'playwright-core';
import { TestBrowser } from '../support/browser.js';
import { signInAsOperator } from '../support/console.js';
import { startService } from '../support/service.js';
import { setUp } from '../support/set-up.js';
import { waitUntil } from '../support/wait-until.js';

const service = setUp(() => startService({ CONSOLE: 'on' }));
const browser = setUp(() => TestBrowser.launch());

/** Send a request that stores something. @returns its id */
async function requestId(): Promise<string> {
  const { token, ref } = await service.given.importedAccount();
  const { status, headers } = await service.post('notes/create/', token, { ...ref, notes: [{ body: 'a' }] });
  expect(status).toBe(201);
  return headers.get('x-request-id')!;
}

describe('the page of a request', () => {
  it.each([
    ['with a clipboard for scripts', true],
    ['without one, as without TLS', false],
  ])('copies its id %s (C8, C11)', async (_what, hasClipboard) => {
    const id = await requestId();
    const { page, problems } = await browser.open(service.baseUrl, { as: await signInAsOperator(service) });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`/console/requests/${id}`);
    await page.evaluate(`(() => {
      const { clipboard } = navigator;
      globalThis.paste = () => clipboard.readText();
      if (!${hasClipboard}) Object.defineProperty(navigator, 'clipboard', { value: undefined });
    })()`);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('paste()')).toBe(id);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('has no such button without JavaScript, and is reached from the list, with its exact time (C7, C8, C11)', async () => {
    const id = await requestId();
    const as = await signInAsOperator(service);
    const { page } = await browser.open(service.baseUrl, { as, javaScript: false });
    await page.goto('/console/requests');
    const age = page.locator('#requests .age').first();
    expect(await age.textContent()).toMatch(/^(now|.+ ago)$/);
    expect(await age.getAttribute('title')).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d:\d\d \w+$/);
    await age.focus();
    expect(await age.locator('span').isVisible()).toBe(false);
    expect((await age.boundingBox())!.width).toBeGreaterThan(100);
    await page.getByLabel('Outcome').selectOption('stored');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('link', { name: id }).click();
    expect(await page.locator('#request-id').textContent()).toBe(id);
    expect(await page.getByRole('button', { name: 'Copy' }).isVisible()).toBe(false);
    await page.context().close();
  });
});

describe('the list of requests', () => {
  it('has two lines a request on a phone, where the menu opens below its button (C4, C11)', async () => {
    const { supplier, ref, apiKeyId } = await service.given.importedAccount();
    await service.database.sql(
      `INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, items, stored, stored_at)
       SELECT s.id, $2, uuidv7(), 'payment_instruction', $3, 'request-of-a-run-' || n, 1, 1, now() - make_interval(secs => n)
         FROM import_supplier s, generate_series(1, 100) AS n
        WHERE s.code = $1`,
      [supplier, ref.external_account_number, apiKeyId],
    );
    const { page } = await browser.open(service.baseUrl, { as: await signInAsOperator(service) });
    await page.goto('/console/requests');
    const boxOf = (part: string): ReturnType<Locator['boundingBox']> =>
      page.locator(`[data-label="Request id"] ${part}`).first().boundingBox();
    const [link, id] = [await boxOf('a'), await boxOf('code')];
    expect(id!.x).toBeLessThan(link!.x - 10);
    expect(id!.x + id!.width).toBeCloseTo(link!.x + link!.width, 0);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.locator('#requests tbody tr').count()).toBe(100);
    expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThan(6_000);
    const button = page.getByRole('button', { name: 'Menu' });
    await button.click();
    const [opener, menu] = [await button.boundingBox(), await page.locator('#menu').boundingBox()];
    expect(menu!.y).toBeGreaterThanOrEqual(opener!.y + opener!.height);
    expect(menu!.y).toBeLessThan(opener!.y + 2 * opener!.height);
    await page.context().close();
  });
});

describe('times', () => {
  it('are in the zone of the browser, and exact when the page is old (C7)', async () => {
    await requestId();
    const { page, problems } = await browser.open(service.baseUrl, { as: await signInAsOperator(service) });
    await page.clock.install();
    await page.goto('/console/sessions');
    await page.reload();
    await page.getByText('Times in Asia/Tokyo').waitFor();
    const [ofPage, ofUpdated] = [page.locator('main .age').first(), page.locator('#requests .age').first()];
    await page.clock.runFor(61_000);
    expect(await ofPage.locator('span').first().isVisible()).toBe(false);
    expect((await ofPage.boundingBox())!.width).toBeGreaterThan(100);
    await page.goto('/console/requests');
    const newest = await requestId();
    await waitUntil('the list has updated itself', async () => {
      await page.clock.runFor(1_000);
      return (await page.locator('#requests tbody tr').first().textContent())!.includes(newest);
    });
    await page.clock.runFor(61_000);
    expect(await ofUpdated.locator('span').first().isVisible()).toBe(true);
    // The page's clock is ahead of the service's answers.
    expect(problems.filter((problem) => !problem.includes('htmx:error: timeout'))).toEqual([]);
    await page.context().close();
  });
});
