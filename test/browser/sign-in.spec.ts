import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { SessionsService } from '../../src/apps/console/signed-in/sessions.service.js';
import { PHONE, TestBrowser } from '../support/browser.js';
import { signInAsOperator } from '../support/console.js';
import { providerSettings, startProvider } from '../support/identity-provider.js';
import { listening } from '../support/listening.js';
import { inBlock, setUp } from '../support/set-up.js';
import { startService, unique } from '../support/service.js';
import { startProxy } from '../support/tcp-proxy.js';

const service = setUp(() => startService({ CONSOLE: 'on', TOKEN_FAILURES_PER_MINUTE: '1000000' }));
const browser = setUp(() => TestBrowser.launch());

async function linkFor(operator: string): Promise<string> {
  const { code } = await service.app.get(SessionsService, { strict: false }).makeLink(operator, operator);
  return `/console/sign-in/${code}`;
}

function pathOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

/** Press Tab until the focus is on a control with a name. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(
      `(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()`,
    );
    if (focused === name) return;
  }
  throw new Error(`Tab does not reach ${name}.`);
}

it('an operator ends the session of another, on a phone (C1, C8)', async () => {
  const name = unique('operator');
  const other = await signInAsOperator(service, name);
  const operator = await signInAsOperator(service);
  const { page, problems } = await browser.open(service.baseUrl, {
    as: operator,
    width: PHONE,
  });
  await page.goto('/console/');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('button', { name: `Revoke the session of ${name}` }).click();
  expect(pathOf(page)).toBe('/console/sessions');
  expect(await page.getByText(name).count()).toBe(0);
  expect((await other.get('/console/')).status).toBe(303);
  expect(problems).toEqual([]);
});

/** Start another site that has a page with one link, like a mail or a ticket. @returns its address */
async function linkOnAnotherSite(href: string): Promise<AsyncDisposable & { readonly address: string }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html><a href="${href}">Look here</a>`);
  });
  const site = await listening(server);
  // A browser treats `localhost` and `127.0.0.1` as different sites.
  return inBlock({ ...site, address: `http://localhost:${site.port}/` });
}

describe('a link on another site', () => {
  const PATH = '/console/requests?outcome=refused';

  it('leads a signed-in viewer to its page, whose forms work, as do those of other pages (C1)', async () => {
    await using site = await linkOnAnotherSite(service.baseUrl + PATH);
    const { page } = await browser.open(service.baseUrl);
    await page.goto(await linkFor(unique('operator')));
    await page.getByRole('button', { name: 'Sign in' }).click();
    const linked = await page.context().newPage();
    await linked.goto(site.address);
    await linked.getByRole('link').click();
    expect(pathOf(linked)).toBe(PATH);
    expect(await linked.getByRole('heading', { level: 1 }).textContent()).toBe('Requests');
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(pathOf(page)).toBe('/console/sign-in');
  });

  it('leads an operator there after the sign-in by a link, which may also be on another site (C1)', async () => {
    await using site = await linkOnAnotherSite(service.baseUrl + PATH);
    const { page } = await browser.open(service.baseUrl);
    await page.goto(site.address);
    await page.getByRole('link').click();
    expect(pathOf(page)).toMatch(/^\/console\/sign-in\?next=/);
    await using chat = await linkOnAnotherSite(service.baseUrl + (await linkFor(unique('operator'))));
    await page.goto(chat.address);
    await page.getByRole('link').click();
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(pathOf(page)).toBe(PATH);
  });
});

describe('with the keyboard only', () => {
  it('a viewer signs in, skips to the content, reaches the search, and signs out (C1, C2, C8)', async () => {
    const link = await linkFor(unique('operator'));
    const { page } = await browser.open(service.baseUrl);
    await page.goto(link);
    await tabTo(page, 'Sign in');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/');
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    expect(await skip.evaluate((element) => element === document.activeElement)).toBe(true);
    expect((await skip.boundingBox())!.x).toBeGreaterThan(0);
    await page.keyboard.press('Enter');
    expect(pathOf(page) + new URL(page.url()).hash).toBe('/console/#content');
    await page.goto('/console/sessions');
    for (let count = 0; count < 3; count += 1) await page.keyboard.press('Tab');
    await page.keyboard.type('a/b');
    expect(await page.getByRole('searchbox').inputValue()).toBe('a/b');
    await tabTo(page, 'Sign out');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/sign-in');
  });
});

it('a person signs in at a provider, and is led to the wanted page, whose forms work (C1, C4)', async () => {
  const front = await startProxy('http://127.0.0.1:1');
  const consoleUrl = new URL(front.through('http://127.0.0.1')).origin;
  await using provider = inBlock(await startProvider(consoleUrl));
  await using persons = inBlock(await startService(providerSettings(provider.issuer, consoleUrl)));
  front.redirect(persons.baseUrl);
  const { page, problems } = await browser.open(consoleUrl);
  await page.goto('/console/requests?outcome=refused');
  await page.getByRole('link', { name: 'Sign in with your organisation’s account' }).click();
  await page.getByLabel('Person').fill('{"sub":"1","name":"Maria","groups":["operators"]}');
  await page.getByRole('button', { name: 'Go' }).click();
  await page.waitForURL('**/console/requests?outcome=refused');
  expect(await page.locator('header .viewer span').textContent()).toBe('Maria');
  await page.getByRole('button', { name: 'Sign out' }).click();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Signed out');
  expect(problems.filter((problem) => !problem.startsWith(`request to ${provider.issuer}`))).toEqual([]);
  await front.cut();
});
