import {
  expectContrast,
  expectNoSidewaysScrolling,
  expectTouchable,
  TestBrowser,
  type Look,
  type OpenPage,
} from '../support/browser.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;
let browser: TestBrowser;
beforeAll(async () => {
  service = await startService({ CONSOLE: 'on' });
  browser = await TestBrowser.launch();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

const STATUS = '/docs/#/account%20imports/getAccountTransferStatus';

/** The script of Swagger UI is large, and takes long on a busy machine. */
const TIMEOUT_MS = 120_000;

async function open(look: Look = {}): Promise<OpenPage> {
  const opened = await browser.open(service.baseUrl, look);
  opened.page.setDefaultTimeout(TIMEOUT_MS);
  return opened;
}

describe('the API reference', () => {
  it('sends a token that is pasted alone with the scheme, and one that has a scheme with no second one (O2)', async () => {
    const { token, ref } = await service.given.importedAccount();
    const { page, problems } = await open();
    await page.goto(STATUS);
    const operation = page.locator('.opblock.is-open');
    await operation.getByRole('button', { name: 'Try it out' }).click();
    for (const name of ['import_supplier', 'external_account_number'] as const) {
      await operation.locator(`tr[data-param-name="${name}"] input`).fill(ref[name]);
    }
    const authorization = page.locator('.scheme-container .authorize');
    for (const pasted of [
      `  ${token} `,
      `Token ${token}`,
      `bearer ${token}`,
      `Authorization: Token ${token}`,
    ]) {
      await authorization.click();
      await page.locator('.auth-container input').fill(pasted);
      await page.locator('.auth-btn-wrapper .authorize').click();
      const asked = page.waitForRequest((request) => request.url().includes('/account-transfer-status/'));
      await page.locator('.auth-btn-wrapper .btn-done').click();
      await operation.getByRole('button', { name: 'Execute' }).click();
      const request = await asked;
      expect(request.headers().authorization).toBe(`Token ${token}`);
      expect((await request.response())?.status()).toBe(200);
      await authorization.click();
      await page.getByRole('button', { name: 'Remove authorization' }).click();
      await page.locator('.auth-btn-wrapper .btn-done').click();
    }
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it.each(['/docs/', '/docs/feed/'])(
    '%s is no wider than the window, can be touched and read, and follows the colour scheme (O2)',
    async (address) => {
      const { page, problems } = await open();
      await page.goto(address);
      await page.locator('.opblock').first().waitFor();
      for (const width of [390, 768, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        await expectNoSidewaysScrolling(page);
        if (width === 390) await expectTouchable(page);
      }
      expect(problems).toEqual([]);
      // The first one reads, the last one that is open writes, where there is one.
      await page.locator('.opblock-get .opblock-summary-control').first().click();
      if (address === '/docs/') await page.locator('.opblock-post .opblock-summary-control').first().click();
      await page.locator('.opblock.is-open .microlight').first().waitFor();
      await expectContrast(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.locator('html.dark-mode').waitFor();
      await expectContrast(page);
      await page.context().close();
    },
  );

  it('shows every operation at its address without JavaScript too, and is found by the search (O2)', async () => {
    const { page } = await open({ javaScript: false });
    await page.goto('/docs/');
    await page.getByRole('searchbox').fill('transfer status');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'account-transfer-status' }).first().click();
    const operation = page.locator('section.card:target');
    expect(await operation.innerText()).toContain('Status of one account import');
    await page.getByRole('link', { name: 'Console' }).click();
    expect(page.url()).toContain('/console/');
    await page.context().close();
  });
});
