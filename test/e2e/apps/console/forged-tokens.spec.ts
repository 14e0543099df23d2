import { IdentityProvider } from '../../../../src/apps/console/sign-in/identity-provider.js';
import { ConsoleClient, signInAsOperator, type ConsolePage } from '../../../support/console.js';
import {
  anotherKey,
  signedAsSecret,
  signedWith,
  startForgedProvider,
  type Forgery,
} from '../../../support/forged-provider.js';
import { ledTo, providerSettings } from '../../../support/identity-provider.js';
import { memoryLog } from '../../../support/memory-log.js';
import { startService } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { waitUntil } from '../../../support/wait-until.js';

const provider = setUp(startForgedProvider);
const log = memoryLog();
const service = setUp(() => startService(providerSettings(provider.url), { logger: log.logger }));

/** Begin a sign-in. @returns the path that leads back with a code */
async function begin(client: ConsoleClient): Promise<string> {
  provider.begun = ledTo(await client.get('/console/sign-in/start')).searchParams;
  const query = new URLSearchParams({ code: 'the code', state: provider.begun.get('state')! });
  return `/console/sign-in/callback?${query.toString()}`;
}

/** What is stored of sign-ins and sessions. */
async function stored(): Promise<number> {
  const [row] = await service.database.sql<{ count: number }>(
    `SELECT ((SELECT count(*) FROM console_session) + (SELECT count(*) FROM viewed)
          + (SELECT count(*) FROM audit_entry) + (SELECT count(*) FROM console_sign_in_code))::integer AS count`,
  );
  return row!.count;
}

/** Expect that a callback signs nobody in and stores nothing. */
async function expectRefused(client: ConsoleClient, path: string, status = 401): Promise<ConsolePage> {
  const before = await stored();
  const page = await client.get(path);
  expect(page.status).toBe(status);
  expect(client.cookie('data_import_session')).toBeUndefined();
  expect(await stored()).toBe(before);
  return page;
}

beforeEach(async () => {
  provider.forgery = {};
  // All tests have one address.
  await service.database.sql('DELETE FROM rate_limit');
});

const seconds = (offset: number): number => Math.floor(Date.now() / 1_000) + offset;

/** Swap a letter of the payload, whose signature then no longer fits. */
function withChangedByte(token: string): string {
  const [header, payload = '', signature] = token.split('.');
  const changed = Buffer.from(payload, 'base64url').toString().replace('"forged"', '"forgee"');
  return [header, Buffer.from(changed).toString('base64url'), signature].join('.');
}

const FORGERIES: readonly (readonly [what: string, forgery: () => Forgery])[] = [
  ['of another issuer', () => ({ claims: { iss: 'https://elsewhere.example' } })],
  ['with another nonce', () => ({ claims: { nonce: 'x'.repeat(43) } })],
  ['without a nonce', () => ({ claims: { nonce: undefined } })],
  ['for another service', () => ({ claims: { aud: 'another' } })],
  ['for several services, given to another', () => ({ claims: { aud: ['data-import', 'x'], azp: 'x' } })],
  ['without a subject', () => ({ claims: { sub: undefined } })],
  ['signed with another key', () => ({ signature: signedWith(anotherKey) })],
  ['with another key’s name', () => ({ header: { kid: 'unknown' } })],
  ['with a changed byte', () => ({ change: withChangedByte })],
  ['without a signature', () => ({ header: { alg: 'none' }, signature: () => Buffer.alloc(0) })],
  ['signed with the public key as a secret', () => ({ header: { alg: 'HS256' }, signature: signedAsSecret })],
  ['that has expired', () => ({ claims: { iat: seconds(-400), exp: seconds(-60) } })],
  ['by a clock that is ahead', () => ({ claims: { nbf: seconds(90) } })],
  ['that is none', () => ({ change: () => 'nonsense' })],
];

describe('an id token', () => {
  it('that is valid signs in, by a clock that is half a minute off too (C1)', async () => {
    const client = new ConsoleClient(service.baseUrl);
    provider.forgery = { claims: { exp: seconds(-20), nbf: seconds(20) } };
    expect((await client.get(await begin(client))).status).toBe(200);
    const page = await client.get('/console/');
    expect(page.document.querySelector('header .viewer')?.textContent).toContain('Forged');
  });

  it.each(FORGERIES)('%s signs nobody in (C1)', async (_what, forgery) => {
    const client = new ConsoleClient(service.baseUrl);
    provider.forgery = forgery();
    const page = await expectRefused(client, await begin(client));
    expect(page.text).toMatch(/^The sign-in was not completed/);
    expect(log.text()).toContain('a person cannot sign in');
    expect(log.text()).not.toContain('the code');
    expect(log.text()).not.toContain('operators');
  });
});

describe('a sign-in', () => {
  it('comes back with its state, in the browser that has begun it (C1)', async () => {
    const [own, another] = [new ConsoleClient(service.baseUrl), new ConsoleClient(service.baseUrl)];
    const path = await begin(own);
    const redeemed = provider.redeemed.length;
    await expectRefused(new ConsoleClient(service.baseUrl), path);
    await begin(another);
    await expectRefused(another, path);
    for (const wrong of ['', '&state=x', `&state=${'x'.repeat(43)}`])
      await expectRefused(own, `${path.replace(/&state=.*/, '')}${wrong}`);
    await expectRefused(own, `${path}&state=x`);
    expect(provider.redeemed).toHaveLength(redeemed);
  });

  it('is one session, even if the provider redeems a code twice and on two instances (C1)', async () => {
    const other = await startService(providerSettings(provider.url), { database: service.database });
    const client = new ConsoleClient(service.baseUrl);
    const path = await begin(client);
    const cookie = `data_import_sign_in=${client.cookie('data_import_sign_in')!}`;
    const visit = async (n: number): Promise<number> =>
      (await new ConsoleClient((n % 2 === 0 ? service : other).baseUrl).get(path, { cookie })).status;
    const before = await stored();
    const answers = await Promise.all(Array.from({ length: 4 }, (_, n) => visit(n)));
    expect(answers.sort()).toEqual([200, ...Array<number>(3).fill(401)]);
    expect(await visit(1)).toBe(401);
    // The session, and the evidence that it began.
    expect(await stored()).toBe(before + 2);
    await other.stop();
  });

  it('needs a cookie that this service has signed for it (C1)', async () => {
    const client = new ConsoleClient(service.baseUrl);
    const path = await begin(client);
    const [value = '', signature = ''] = client.cookie('data_import_sign_in')!.split('.');
    const begun = JSON.parse(Buffer.from(value, 'base64url').toString()) as object;
    const longer = Buffer.from(JSON.stringify({ ...begun, untilMs: Date.now() * 2 })).toString('base64url');
    const signedIn = new ConsoleClient(service.baseUrl);
    await signedIn.get(await begin(signedIn));
    for (const forged of [`${longer}.${signature}`, value, signedIn.cookie('data_import_session')!]) {
      const page = await new ConsoleClient(service.baseUrl).get(path, {
        cookie: `data_import_sign_in=${forged}`,
      });
      expect(page.status).toBe(401);
    }
  });

  it('takes what a provider adds to the address, in any order (C1)', async () => {
    const client = new ConsoleClient(service.baseUrl);
    const { searchParams } = new URL(await begin(client), service.baseUrl);
    const query = new URLSearchParams({
      session_state: 's',
      iss: provider.url,
      x: '',
      ...Object.fromEntries([...searchParams].reverse()),
    });
    expect((await client.get(`/console/sign-in/callback?${query.toString()}`)).status).toBe(200);
  });

  it('that the provider refuses is a page, and another issuer’s answer is not redeemed (C1)', async () => {
    const client = new ConsoleClient(service.baseUrl);
    const path = await begin(client);
    await expectRefused(client, path.replace('code=', 'error=access_denied&x='));
    await expectRefused(client, `${path}&iss=https%3A%2F%2Felsewhere.example`);
  });
});

describe('a provider that does not answer', () => {
  const slow = setUp(() => startService(providerSettings(provider.url)));
  const limitedTo = (timeoutMs: number): unknown =>
    Object.assign(slow.app.get(IdentityProvider, { strict: false }), { timeoutMs });

  beforeEach(() => {
    provider.isSilent = false;
  });

  it('is away after the time limit, whichever step it is at (C1)', async () => {
    const client = new ConsoleClient(slow.baseUrl);
    const path = await begin(client);
    provider.isSilent = true;
    limitedTo(100);
    const startedAt = performance.now();
    for (const step of [path, '/console/sign-in/start']) {
      const page = await client.get(step);
      expect([page.status, page.text]).toEqual([503, expect.stringMatching(/cannot be reached now/)]);
    }
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect(provider.held).toHaveLength(2);
  });

  it('does not delay other pages of somebody who waits for it (C1)', async () => {
    const operator = await signInAsOperator(slow);
    provider.held.length = 0;
    provider.isSilent = true;
    limitedTo(60_000);
    const starts = Array.from({ length: 12 }, () => operator.get('/console/sign-in/start'));
    await waitUntil('the provider is asked', () => Promise.resolve(provider.held.length > 0));
    expect((await operator.get('/console/')).status).toBe(200);
    for (const answer of provider.held) answer();
    expect((await Promise.all(starts)).map(({ status }) => status)).toEqual(Array<number>(12).fill(303));
  });
});
