import { TestBrowser } from '../support/browser.js';
import { signInAsOperator } from '../support/console.js';
import { startService } from '../support/service.js';
import { setUp } from '../support/set-up.js';
import { waitUntil } from '../support/wait-until.js';

const SAYS =
  /^This page could not be refreshed\. It shows what was known on \d+ \w+ \d{4}, \d\d:\d\d:\d\d (UTC|GMT\+9)\.$/;

const browser = setUp(() => TestBrowser.launch());

describe('a page that updates by itself', () => {
  it.each(['/console/', '/console/requests'])(
    '%s says so when the service is stopped, after two tries, with the time of what is shown (C14)',
    async (path) => {
      const service = await startService({ CONSOLE: 'on' });
      const { page } = await browser.open(service.baseUrl, { as: await signInAsOperator(service) });
      await page.clock.install();
      await page.goto(path);
      const banner = page.getByRole('alert');
      await service.stop();
      const tries: string[] = [];
      page.on('requestfailed', (request) => tries.push(request.url()));
      for (const count of [1, 2]) {
        expect(await banner.isVisible()).toBe(false);
        await waitUntil(`the page has tried ${count} times`, async () => {
          await page.clock.runFor(1_000);
          return tries.length >= count;
        });
      }
      await banner.waitFor();
      expect(await banner.textContent()).toMatch(SAYS);
      await page.context().close();
    },
  );

  it('shows the next state that arrives, and no longer its age (C14)', async () => {
    const service = await startService({ CONSOLE: 'on' });
    const { page } = await browser.open(service.baseUrl, { as: await signInAsOperator(service) });
    await page.clock.install();
    await page.goto('/console/requests');
    let isAway = true;
    await page.route('**/console/requests*', (route) =>
      isAway ? route.fulfill({ status: 503, body: '<p>Away</p>' }) : route.continue(),
    );
    const banner = page.getByRole('alert');
    await waitUntil('the page says so', async () => {
      await page.clock.runFor(1_000);
      return banner.isVisible();
    });
    expect(await page.getByText('Away').count()).toBe(0);
    isAway = false;
    await waitUntil('the page is up to date', async () => {
      await page.clock.runFor(1_000);
      return !(await banner.isVisible());
    });
    await page.context().close();
    await service.stop();
  });
});
