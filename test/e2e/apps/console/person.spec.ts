import { SessionsService } from '../../../../src/apps/console/signed-in/sessions.service.js';
import type { Person } from '../../../../src/apps/console/signed-in/sessions.types.js';
import { runCommand, runJson } from '../../../support/cli.js';
import { ConsoleClient, adminOf, formOf, signInAsOperator, tokenIn } from '../../../support/console.js';
import {
  callbackFor,
  CONSOLE_URL,
  ledTo,
  providerSettings,
  signInAsPerson,
  startProvider,
  type TestPerson,
} from '../../../support/identity-provider.js';
import { startService, unique } from '../../../support/service.js';
import { inBlock, setUp } from '../../../support/set-up.js';
import { nameOf } from '../../../support/suppliers.js';

const provider = setUp(startProvider);
const service = setUp(() => startService(providerSettings(provider.issuer)));

beforeEach(async () => {
  // All tests have one address.
  await service.database.sql('DELETE FROM rate_limit');
});

const SECRET = expect.stringMatching(/^[\w-]{43}$/) as string;

const person = (group: string, more: Partial<TestPerson> = {}): TestPerson => ({
  ...{ sub: unique('sub'), name: unique('Maria'), groups: ['staff', group] },
  ...more,
});

const recorded = ({ sub, name }: TestPerson): string => `person ${name!} (${sub} at ${provider.issuer})`;

async function tokenVersionRises(organisationId: string): Promise<void> {
  await service.database.sql('UPDATE organisation SET token_version = token_version + 1 WHERE id = $1', [
    organisationId,
  ]);
}

describe('the sign-in of a person', () => {
  it('begins with a link to the provider, and comes back to the address of the setting (C1)', async () => {
    const client = new ConsoleClient(service.baseUrl);
    const page = await client.get('/console/sign-in?next=%2Fconsole%2Frequests');
    const link = page.document.querySelector('a.button')!.getAttribute('href')!;
    expect(link).toBe('/console/sign-in/start?next=%2Fconsole%2Frequests');
    const begun = await client.get(link, { host: 'evil.example', 'x-forwarded-host': 'evil.example' });
    expect(begun.status).toBe(303);
    expect(begun.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^data_import_sign_in=[^;]+; Max-Age=600; Path=\/console; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    const { origin, searchParams } = ledTo(begun);
    expect(origin).toBe(provider.issuer);
    expect(Object.fromEntries(searchParams)).toEqual({
      ...{ client_id: 'data-import', response_type: 'code', scope: 'openid profile' },
      ...{ redirect_uri: `${CONSOLE_URL}/console/sign-in/callback`, code_challenge_method: 'S256' },
      ...{ state: SECRET, nonce: SECRET, code_challenge: SECRET },
    });
  });

  it('ends with a page that goes on to the wanted page, and a session for the hours of the setting (C1, O6)', async () => {
    const client = new ConsoleClient(service.baseUrl);
    const maria = person('operators', { name: ' Maria\u202e  L\u00f3pez\n' });
    const page = await client.get(
      await callbackFor(client, maria, '/console/sign-in/start?next=%2Fconsole%2Frequests%3Fa%3Db'),
    );
    expect([page.status, page.headers.get('refresh')]).toEqual([200, '0; url=/console/requests?a=b']);
    expect(page.document.querySelector('main a')?.getAttribute('href')).toBe('/console/requests?a=b');
    const cookie = page.headers.getSetCookie().find((line) => line.startsWith('data_import_session='))!;
    const ends = Date.parse(/Expires=([^;]+)/.exec(cookie)![1]!);
    expect(Math.abs(ends - Date.now() - 8 * 3_600_000)).toBeLessThan(60_000);
    expect(client.cookie('data_import_sign_in')).toBeUndefined();
    const overview = await client.get('/console/');
    expect(overview.document.querySelector('header .viewer span')?.textContent).toBe('Maria López');
    const viewer = recorded({ ...maria, name: 'Maria López' });
    const views = await service.database.sql('SELECT action FROM viewed WHERE viewer = $1', [viewer]);
    expect(views).toEqual([{ action: 'console.sign_in' }]);
  });

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/console/../v1/',
    '/console/sign-out',
  ])('leads to the overview when %s is wanted (C1)', async (next) => {
    const client = new ConsoleClient(service.baseUrl);
    const start = `/console/sign-in/start?next=${encodeURIComponent(next)}`;
    const page = await client.get(await callbackFor(client, person('viewers'), start));
    expect(page.headers.get('refresh')).toBe('0; url=/console/');
  });

  it('replaces the session of the browser, whose cookie nobody else may have set before (C1)', async () => {
    const client = await signInAsOperator(service);
    const before = client.cookie('data_import_session')!;
    const page = await client.get(await callbackFor(client, person('viewers')));
    expect(page.document.querySelector('header .viewer')).toBeNull();
    expect(client.cookie('data_import_session')).not.toBe(before);
    const old = await new ConsoleClient(service.baseUrl).get('/console/', {
      cookie: `data_import_session=${before}`,
    });
    expect(old.status).toBe(303);
  });

  it('is over TLS bound to the host, in its cookie too (A10, C1)', async () => {
    await using behindProxy = inBlock(
      await startService({ ...providerSettings(provider.issuer), TRUSTED_PROXIES: '127.0.0.1' }),
    );
    const tls = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' };
    const begun = await new ConsoleClient(behindProxy.baseUrl).get('/console/sign-in/start', tls);
    expect(begun.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-data_import_sign_in=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  });

  it('happens ten times a minute for a person, with at most 20 sessions on all instances (A10)', async () => {
    const busy = person('viewers');
    for (let count = 0; count < 10; count += 1) await signInAsPerson(service, busy);
    const client = new ConsoleClient(service.baseUrl);
    const page = await client.get(await callbackFor(client, busy));
    expect([page.status, page.text]).toEqual([
      429,
      expect.stringMatching(/^Too many sign-ins.*with this account/),
    ]);
    await using other = inBlock(await startService({ CONSOLE: 'on' }, { database: service.database }));
    const user: Person = {
      ...{
        issuer: provider.issuer,
        subject: busy.sub,
        person: 'x',
        organisationId: null,
        tokenVersion: null,
      },
      role: 'viewer',
    };
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        (n % 2 === 0 ? service : other).app
          .get(SessionsService, { strict: false })
          .beginWithPerson(user, unique('state')),
      ),
    );
    const live = await service.database.sql(
      'SELECT FROM console_session WHERE subject = $1 AND revoked_at IS NULL',
      [busy.sub],
    );
    expect(live).toHaveLength(20);
  });

  it('is begun 60 times a minute from one address, and then answered 429 (A9)', async () => {
    await using limited = inBlock(await startService(providerSettings(provider.issuer)));
    const starts = await Promise.all(
      Array.from({ length: 100 }, () => new ConsoleClient(limited.baseUrl).get('/console/sign-in/start')),
    );
    const refused = starts.filter(({ status }) => status !== 303);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, text } of refused)
      expect([status, text]).toEqual([429, expect.stringMatching(/from your address within a minute/)]);
  });
});

describe('the role of a person', () => {
  it.each<[string, string, Partial<TestPerson>]>([
    ['has no claim', 'The claim groups of your account is missing.', { groups: undefined }],
    [
      'has other values',
      'The claim groups of your account has no value that means a role here.',
      { groups: ['x'] },
    ],
    [
      'is ambiguous',
      'Your account has the roles operator and supplier',
      { groups: ['suppliers', 'operators'] },
    ],
    ['has no organisation', 'The claim org_id of your account is missing', { groups: ['suppliers'] }],
    [
      'has an unknown organisation',
      'The claim org_id of your account',
      { groups: ['suppliers'], org_id: crypto.randomUUID() },
    ],
  ])('%s: a page says so, and nothing is stored (C1)', async (_what, sentence, claims) => {
    const client = new ConsoleClient(service.baseUrl);
    const nobody = { ...person('x'), ...claims };
    const page = await client.get(await callbackFor(client, nobody));
    expect(page.status).toBe(403);
    expect(page.document.querySelector('[role=alert]')?.textContent).toContain(sentence);
    expect(client.cookie('data_import_session')).toBeUndefined();
    expect(
      await service.database.sql('SELECT FROM console_session WHERE subject = $1', [nobody.sub]),
    ).toEqual([]);
  });

  it('is operator for one who is a viewer too (C1)', async () => {
    const both = await signInAsPerson(service, person('viewers', { groups: ['viewers', 'operators'] }));
    expect((await both.get('/console/sessions')).status).toBe(200);
  });

  it('supplier sees what the organisation is granted, until it has to authenticate again (A7, A8, C3)', async () => {
    const [own, strange] = [await service.given.supplier(), await service.given.supplier()];
    const { organisationId } = own;
    const admin = person('suppliers', { org_id: organisationId });
    const [client, withKey] = [await signInAsPerson(service, admin), await adminOf(service, own)];
    const { text } = await client.get('/console/');
    expect(text).toBe((await withKey.get('/console/')).text);
    expect((await client.get(`/console/suppliers/${strange.supplier}`)).status).toBe(404);
    const { stdout } = await runCommand(service.database, ['console', 'sessions']);
    const organisation = await nameOf(service.database, { organisationId });
    expect(stdout).toContain(`${admin.name!}, admin of ${organisation}, ${admin.sub} at ${provider.issuer}`);
    await tokenVersionRises(organisationId);
    expect((await client.get('/console/')).status).toBe(303);
    expect((await (await signInAsPerson(service, admin)).get('/console/')).status).toBe(200);
  });

  it('viewer reads every supplier and changes nothing (C1, C3)', async () => {
    const { supplier } = await service.given.supplier();
    const client = await signInAsPerson(service, person('viewers'));
    const { text } = await client.get(`/console/suppliers/${supplier}`);
    expect(text).toContain(`data-import accounts stage ${supplier} FILE. No account is staged yet.`);
    const page = await client.get(`/console/suppliers/${supplier}/settings`);
    expect(page.status).toBe(200);
    const actions = page.document
      .querySelectorAll('form[method=post]')
      .map((form) => form.getAttribute('action'));
    expect(actions).toEqual(['/console/sign-out']);
    const pause = formOf({ status: 'paused', _csrf: tokenIn(page) });
    expect((await client.send(`/console/suppliers/${supplier}/status`, pause)).status).toBe(404);
    const [row] = await service.database.sql('SELECT status FROM import_supplier WHERE code = $1', [
      supplier,
    ]);
    expect(row).toEqual({ status: 'ongoing' });
  });
});

describe('the end of a session of a person', () => {
  it('is a sign-out here, with a link to the one at the provider (C1)', async () => {
    const client = await signInAsPerson(service, person('viewers'));
    const page = await client.post('/console/sign-out', {}, '/console/');
    expect(page.status).toBe(200);
    const link = page.document.querySelector('main a')!.getAttribute('href')!;
    expect(link).toBe(`${provider.issuer}/session/end?client_id=data-import`);
    expect(client.cookie('data_import_session')).toBeUndefined();
    expect((await client.get('/console/')).status).toBe(303);
  });

  it('comes at once with console revoke: of all of a person, of a key, and never of two users (A10)', async () => {
    const maria = person('viewers');
    const clients = [await signInAsPerson(service, maria), await signInAsPerson(service, maria)];
    const listed = (await runJson(service.database, ['console', 'sessions'])).json as object[];
    expect(listed.at(-1)).toMatchObject({
      ...{ operator: null, person: maria.name, subject: maria.sub, issuer: provider.issuer, role: 'viewer' },
    });
    const namesake = await signInAsOperator(service, maria.name);
    const revoke = (...args: string[]): ReturnType<typeof runJson> =>
      runJson(service.database, ['console', 'revoke', ...args]);
    const asked = await revoke('--person', maria.name!);
    expect(asked).toMatchObject({ exitCode: 1, json: { error: { code: 'several_users' } } });
    expect(JSON.stringify(asked.json)).toContain(recorded(maria));
    expect(await revoke('--person', maria.sub)).toMatchObject({ exitCode: 0, json: { sessions_ended: 2 } });
    for (const client of clients) expect((await client.get('/console/')).status).toBe(303);
    expect((await namesake.get('/console/')).status).toBe(200);

    const own = await service.given.supplier();
    const admin = await adminOf(service, own);
    const [session] = await service.database.sql<{ id: string }>(
      'SELECT api_key_id AS id FROM console_session WHERE organisation_id = $1',
      [own.organisationId],
    );
    expect(await revoke('--api-key', session!.id)).toMatchObject({ json: { sessions_ended: 1 } });
    expect((await admin.get('/console/')).status).toBe(303);
    expect(await revoke('--person', maria.sub)).toMatchObject({
      exitCode: 1,
      json: { error: { code: 'session_not_found' } },
    });
    for (const args of [[], [session!.id, '--person', 'x']])
      expect(await revoke(...args)).toMatchObject({ exitCode: 2, json: { error: { code: 'wrong_usage' } } });
  });
});

describe('the names of others', () => {
  it.each(['person Maria (1 at x)', 'Person\u00a0Maria', 'api key 0192', 'API  Key x', 'platform key x'])(
    'are no operator’s: %s (C1, O6)',
    async (name) => {
      const linked = await runJson(service.database, ['console', 'link', '--for', name]);
      expect(linked).toMatchObject({ exitCode: 1, json: { error: { code: 'invalid_operator' } } });
      const named = await runJson(service.database, ['console', 'link'], '', { OPERATOR: name });
      expect(named).toMatchObject({ exitCode: 1, json: { error: { code: 'invalid_operator' } } });
    },
  );

  it('are recorded as a person’s, whatever the person is called at the provider (C1, O6)', async () => {
    for (const name of ['root', 'api key 01920000-0000-7000-8000-000000000000']) {
      const impostor = person('operators', { name });
      await signInAsPerson(service, impostor);
      const seen = await service.database.sql('SELECT FROM viewed WHERE viewer = $1', [recorded(impostor)]);
      expect(seen).toHaveLength(1);
      expect(await service.database.sql('SELECT FROM viewed WHERE viewer = $1', [name])).toEqual([]);
    }
  });
});

describe('without the provider', () => {
  const away = setUp(() => startService(providerSettings('http://127.0.0.1:9')));

  it('the service starts, a page says so, and a link and a key still sign in (C1)', async () => {
    const client = new ConsoleClient(away.baseUrl);
    for (let tries = 0; tries < 2; tries += 1) {
      const page = await client.get('/console/sign-in/start?next=%2Fconsole%2Frequests');
      expect(page.status).toBe(503);
      expect(page.document.querySelector('[role=alert]')?.textContent).toMatch(/cannot be reached now/);
      expect(page.document.querySelector('input[name=next]')?.getAttribute('value')).toBe(
        '/console/requests',
      );
    }
    await signInAsOperator(away);
    await adminOf(away, await away.given.supplier());
  });

  it('that calls itself otherwise nobody is led to it (C1)', async () => {
    await using misnamed = inBlock(await startService(providerSettings(`${provider.issuer}/`)));
    expect((await new ConsoleClient(misnamed.baseUrl).get('/console/sign-in/start')).status).toBe(503);
  });

  it('neither page of its sign-in exists where it is not configured (C1)', async () => {
    await using without = inBlock(await startService({ CONSOLE: 'on' }));
    const client = new ConsoleClient(without.baseUrl);
    expect((await client.get('/console/sign-in')).document.querySelector('a.button')).toBeNull();
    for (const path of ['start', 'callback?code=x&state=y'])
      expect((await client.get(`/console/sign-in/${path}`)).status).toBe(303);
  });
});

describe('the other ways to sign in', () => {
  it('are off where the settings say so, but for a recorded break of the glass (C1, O6)', async () => {
    const off = { ...providerSettings(provider.issuer), CONSOLE_LINKS: 'off', CONSOLE_KEY_SIGN_IN: 'off' };
    await using persons = inBlock(await startService(off));
    const { organisationId } = await persons.given.supplier();
    const page = await new ConsoleClient(persons.baseUrl).get('/console/sign-in');
    expect(page.document.querySelector('main form')).toBeNull();
    expect(page.text).not.toContain('console link');
    await expect(adminOf(persons, { organisationId })).rejects.toThrow();
    const refused = await runJson(persons.database, ['console', 'link'], '', off);
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: 'links_are_off' } } });
    const made = await runJson(persons.database, ['console', 'link', '--break-glass'], '', off);
    const { url } = made.json as { url: string };
    expect(url.startsWith(`${CONSOLE_URL}/console/sign-in/`)).toBe(true);
    const client = new ConsoleClient(persons.baseUrl);
    const { pathname } = new URL(url);
    expect((await client.post(pathname, {}, pathname)).status).toBe(303);
    const entries = await persons.database.sql(
      `SELECT details FROM audit_entry WHERE action = 'console.link'`,
    );
    expect(entries).toEqual([{ details: { break_glass: true } }]);
  });
});
