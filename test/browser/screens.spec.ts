import {
  expectAccessible,
  expectNoSidewaysScrolling,
  expectTouchable,
  SCHEMES,
  TestBrowser,
  WIDTHS,
} from '../support/browser.js';
import { startService, type TestService } from '../support/service.js';
import { fillForScreens, SCREENS, type ScreensWorld } from './screens.js';

let service: TestService;
let browser: TestBrowser;
let world: ScreensWorld;
beforeAll(async () => {
  service = await startService({ CONSOLE: 'on' });
  world = await fillForScreens(service);
  browser = await TestBrowser.launch();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

describe.each(SCREENS)('$name', ({ as, path, status = 200 }) => {
  it.each(WIDTHS.flatMap((width) => SCHEMES.map((scheme) => ({ width, scheme }))))(
    'at $width pixels in $scheme colours is accessible, no wider than the window, and loads nothing from elsewhere (C4, C8)',
    async ({ width, scheme }) => {
      const viewer = as && { as: world[as] };
      const { page, problems } = await browser.open(service.baseUrl, { ...viewer, width, scheme });
      const response = await page.goto(path(world));
      expect(response?.status()).toBe(status);
      await expectNoSidewaysScrolling(page);
      if (width === WIDTHS[0]) await expectTouchable(page);
      const known = `Failed to load resource: the server responded with a status of ${status} (`;
      expect(problems.filter((problem) => !problem.startsWith(known))).toEqual([]);
      // Last, because it tries styles on the page.
      await expectAccessible(page);
      await page.context().close();
    },
  );
});
