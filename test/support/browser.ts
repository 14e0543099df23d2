import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import type { AxeResults } from 'axe-core';
import { findChromium } from './chromium.mjs';
import type { ConsoleClient } from './console.js';
import { importOutside } from './outside.js';

const { chromium } = await importOutside<typeof import('playwright-core')>('playwright-core');

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Viewport widths at which every screen is tested, in CSS pixels. */
export const [PHONE, TABLET, DESKTOP] = [390, 768, 1440] as const;

/** Minimum height and width of a touch target, in CSS pixels. */
const TOUCH_TARGET = 44;

/** Options of {@link TestBrowser.open}. */
export interface Look {
  /** The client whose session cookie the browser gets. */
  readonly as?: ConsoleClient;
  readonly javaScript?: boolean;
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
}

/** A page in its own browser context. */
export interface OpenPage {
  readonly page: Page;
  /** Problems since the page was opened: errors, violations of the Content-Security-Policy, requests to other hosts. */
  readonly problems: readonly string[];
}

/** A Chromium with an empty profile. */
export class TestBrowser {
  private constructor(private readonly browser: Browser) {}

  static async launch(): Promise<TestBrowser> {
    const executablePath = findChromium();
    if (executablePath === undefined) throw new Error('No Chromium is installed.');
    return new TestBrowser(await chromium.launch({ executablePath, args: FLAGS }));
  }

  close(): Promise<void> {
    return this.browser.close();
  }

  /** @param baseUrl of the service; the page resolves paths against it */
  async open(baseUrl: string, look: Look = {}): Promise<OpenPage> {
    const { as, javaScript = true, width = 1440, scheme = 'light' } = look;
    const context = await this.browser.newContext({
      baseURL: baseUrl,
      viewport: { width, height: 800 },
      colorScheme: scheme,
      javaScriptEnabled: javaScript,
      reducedMotion: 'reduce',
      // Not that of the service.
      timezoneId: 'Asia/Tokyo',
    });
    const value = as?.cookie('data_import_session');
    if (value !== undefined) {
      const { hostname: domain } = new URL(baseUrl);
      const cookie = { name: 'data_import_session', value, domain, path: '/console' };
      await context.addCookies([{ ...cookie, httpOnly: true, sameSite: 'Lax' }]);
    }
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
    });
    page.on('request', (request) => {
      if (new URL(request.url()).host !== new URL(baseUrl).host) problems.push(`request to ${request.url()}`);
    });
    return { page, problems };
  }
}

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Expect no axe violations. The browser's debugger evaluates axe, so the page's Content-Security-Policy does not apply to it. */
export async function expectAccessible(page: Page, options: object = {}): Promise<void> {
  // Sending and parsing half a megabyte takes longer than running it.
  if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(axe);
  // Compare final colours, not those in the middle of a transition.
  await page.evaluate('for (const transition of document.getAnimations()) transition.finish()');
  const all = { preload: false, resultTypes: ['violations'], ...options };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(all)})`);
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    at: nodes.map(({ target }) => target),
  }));
  expect(found).toEqual([]);
}

/** Like {@link expectAccessible}, but only the rules that depend on colours: for the other colour scheme. */
export function expectContrast(page: Page): Promise<void> {
  return expectAccessible(page, { runOnly: ['color-contrast', 'link-in-text-block'] });
}

/** Expect that the page is no wider than the window, and that no table is cut off. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const wide = await page.evaluate<string[]>(`
    [document.documentElement, ...document.querySelectorAll('.scroll:has(> table.data)')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ ariaLabel, scrollWidth, clientWidth }) => [ariaLabel, scrollWidth, clientWidth].join(' '))`);
  expect([page.viewportSize()?.width, wide]).toEqual([page.viewportSize()?.width, []]);
}

/** Expect that no paragraph is laid out as a grid, which splits its sentences, and that every summary shows a disclosure marker. */
export async function expectReadable(page: Page): Promise<void> {
  const wrong = await page.evaluate<string[]>(`
    [...document.querySelectorAll('main p, details:not(.long) > summary')]
      .filter((element) => {
        const { display } = getComputedStyle(element);
        return element.matches('p')
          ? display === 'grid'
          : display !== 'list-item' && getComputedStyle(element, '::before').content === 'none';
      })
      .map(({ outerHTML }) => outerHTML)`);
  expect(wrong).toEqual([]);
}

/** Expect that touch targets are large enough. Links within a text are exempt: they are as high as its lines. */
export async function expectTouchable(page: Page): Promise<void> {
  const small = await page.evaluate<string[]>(`
    [...document.querySelectorAll('button, select, input:not([type=hidden]), nav a')]
      .filter((element) => !element.closest('label'))
      .map((element) => [element, element.getBoundingClientRect()])
      .filter(([, { height, width }]) => height > 0 && (height < ${TOUCH_TARGET} || width < ${TOUCH_TARGET}))
      .map(([element, { height, width }]) => element.outerHTML + ' is ' + width + ' x ' + height)`);
  expect(small).toEqual([]);
}
