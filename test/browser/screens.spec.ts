import type { Page } from 'playwright-core';
import {
  DESKTOP,
  expectAccessible,
  expectContrast,
  expectNoSidewaysScrolling,
  expectReadable,
  expectTouchable,
  PHONE,
  TABLET,
  TestBrowser,
} from '../support/browser.js';
import { startService } from '../support/service.js';
import { setUp } from '../support/set-up.js';
import { fillForScreens, SCREENS, type ScreensWorld } from './screens.js';

const service = setUp(() => startService({ CONSOLE: 'on' }));
const browser = setUp(() => TestBrowser.launch());
let world: ScreensWorld;
beforeAll(async () => {
  world = await fillForScreens(service);
});

/** The colours of everything on a page, and whether the printer must keep them. */
function coloursOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('body, body *')].flatMap((element) =>
      [undefined, '::before'].map((part) => {
        const { color, backgroundColor, fill, borderTopColor, printColorAdjust } = getComputedStyle(element, part);
        return [element.tagName, color, backgroundColor, fill, borderTopColor, printColorAdjust].join(' ');
      }))`);
}

it.each(SCREENS)(
  '$name is accessible on a phone, a tablet and a desktop, in light and in dark colours, loads nothing from elsewhere, and is printed in light colours (C4, C8)',
  async ({ as, path, status = 200 }) => {
    const { page, problems } = await browser.open(service.baseUrl, as && { as: world[as] });
    const response = await page.goto(path(world));
    expect(response?.status()).toBe(status);
    const known = `Failed to load resource: the server responded with a status of ${status} (`;
    // Must precede axe, which tries out styles on the page.
    expect(problems.filter((problem) => !problem.startsWith(known))).toEqual([]);
    await page.emulateMedia({ media: 'print', colorScheme: 'light' });
    const light = await coloursOf(page);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const dark = await coloursOf(page);
    expect(dark).toEqual(light);
    expect(dark.filter((colours) => !colours.endsWith(' exact'))).toEqual([]);
    await page.emulateMedia({ media: 'screen' });
    await page.emulateMedia({ colorScheme: 'light' });
    for (const width of [1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScrolling(page);
    }
    for (const width of [PHONE, TABLET, DESKTOP]) {
      await page.setViewportSize({ width, height: 800 });
      await expectReadable(page);
      await expectNoSidewaysScrolling(page);
      if (width === PHONE) await expectTouchable(page);
      // A tablet has a phone's menu and otherwise a desktop's page.
      if (width !== TABLET) await expectAccessible(page);
    }
    // The other scheme differs only in colours.
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectContrast(page);
    await page.context().close();
  },
);
