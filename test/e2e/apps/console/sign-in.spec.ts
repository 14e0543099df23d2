import { SessionsService } from '../../../../src/apps/console/signed-in/sessions.service.js';
import {
  ConsoleClient,
  formOf,
  signInAsAdmin,
  signInAsOperator,
  tokenIn,
  type ConsolePage,
} from '../../../support/console.js';
import { graphql, issueKey } from '../../../support/graphql.js';
import { memoryLog } from '../../../support/memory-log.js';
import { startService, unique } from '../../../support/service.js';
import { inBlock, setUp } from '../../../support/set-up.js';
import { nameOf } from '../../../support/suppliers.js';

const { jest } = import.meta;

const SETTINGS = { CONSOLE: 'on', TOKEN_FAILURES_PER_MINUTE: '1000000' };
const log = memoryLog();

const service = setUp(() => startService(SETTINGS, { logger: log.logger }));

/** A link as `console link` makes it. */
async function linkFor(operator = unique('operator')): Promise<string> {
  const { code } = await service.app.get(SessionsService, { strict: false }).makeLink(operator, operator);
  return `/console/sign-in/${code}`;
}

function visitor(): ConsoleClient {
  return new ConsoleClient(service.baseUrl);
}

function locationOf({ status, headers }: ConsolePage): string | null {
  expect(status).toBe(303);
  return headers.get('location');
}

/** The Set-Cookie line of the session. */
function sessionCookieOf({ headers }: ConsolePage): string {
  return headers.getSetCookie().find((line) => line.startsWith('data_import_session=')) ?? '';
}

describe('a page without a session', () => {
  it.each([
    ['/console/', '/console/sign-in'],
    ['/console', '/console/sign-in'],
    ['/console/sessions?a=b', '/console/sign-in?next=%2Fconsole%2Fsessions%3Fa%3Db'],
    ['/console/no/such/page', '/console/sign-in?next=%2Fconsole%2Fno%2Fsuch%2Fpage'],
    ['/console//example.com/', '/console/sign-in?next=%2Fconsole%2F%2Fexample.com%2F'],
  ])('%s redirects to the sign-in, and back afterwards (C1, C3)', async (path, location) => {
    expect(locationOf(await visitor().get(path))).toBe(location);
  });

  it('redirects a form that is sent too late to its page (C3)', async () => {
    const client = await signInAsOperator(service);
    const referer = `${service.baseUrl}/console/sessions`;
    const token = tokenIn(await client.get('/console/sessions'));
    await client.post('/console/sign-out');
    const form = formOf({ _csrf: token });
    const late = await client.send('/console/sessions/x/revoke', {
      ...form,
      headers: { ...form.headers, referer },
    });
    expect(locationOf(late)).toBe('/console/sign-in?next=%2Fconsole%2Fsessions');
  });

  it('redirects the whole page when a part of it updates by itself (C8)', async () => {
    const { status, headers } = await visitor().get('/console/', {
      'hx-request': 'true',
      referer: `${service.baseUrl}/console/requests`,
    });
    expect(status).toBe(401);
    expect(headers.get('hx-redirect')).toBe('/console/sign-in?next=%2Fconsole%2Frequests');
  });
});

describe('a sign-in link', () => {
  it('shows a button, whose POST signs in once (C1)', async () => {
    const operator = unique('operator');
    const link = await linkFor(operator);
    const client = visitor();
    // A chat program fetches a link to show a preview.
    await visitor().get(link);
    const page = await client.get(link);
    expect(page.status).toBe(200);
    expect(page.document.querySelector('main form')?.getAttribute('action')).toBe(link);
    expect(locationOf(await client.post(link, {}, link))).toBe('/console/');
    const overview = await client.get('/console/');
    expect(overview.status).toBe(200);
    expect(overview.document.querySelector('header .viewer')?.textContent).toContain(operator);

    const second = await visitor().post(link, {}, link);
    expect(second.status).toBe(401);
    expect(second.text).toMatch(/It was used already.*data-import console link/);
    expect(second.headers.get('www-authenticate')).toBeNull();
  });

  it('signs in only one of many visitors who use it concurrently (C1)', async () => {
    const link = await linkFor();
    const pages = await Promise.all(Array.from({ length: 8 }, () => visitor().post(link, {}, link)));
    expect(pages.map(({ status }) => status).sort()).toEqual([303, ...Array<number>(7).fill(401)]);
  });

  it('ends after ten minutes (C1)', async () => {
    const link = await linkFor();
    const [row] = await service.database.sql<{ seconds: number }>(
      `SELECT extract(epoch FROM expires_at - created_at)::float8 AS seconds
         FROM console_sign_in_code ORDER BY created_at DESC LIMIT 1`,
    );
    expect(row!.seconds).toBe(600);
    await service.database.sql(`UPDATE console_sign_in_code SET expires_at = now() WHERE used_at IS NULL`);
    expect((await visitor().post(link, {}, link)).status).toBe(401);
  });

  it.each(['unknown', 'x'.repeat(43), '%00', '%F0%9F%98%80'])(
    'is not valid with the code %s (C1)',
    async (code) => {
      const page = await visitor().post(`/console/sign-in/${code}`);
      expect(page.status).toBe(401);
      expect(page.document.querySelector('h1')?.textContent).toBe('This link cannot be used');
    },
  );

  it('is in no log, audit entry or database row (C1, O6)', async () => {
    const link = await linkFor();
    const client = visitor();
    await client.get(link);
    await client.post(link, {}, link);
    await client.post(link, {}, link);
    const code = link.split('/').pop()!;
    expect(log.lines()).toContainEqual(
      expect.objectContaining({ route: '/console/sign-in/:code', status: 303 }),
    );
    expect(log.text()).not.toContain(code);
    expect(log.text()).not.toContain(client.cookie('data_import_session')!);
    for (const table of ['audit_entry', 'viewed', 'console_sign_in_code', 'console_session']) {
      const rows = await service.database.sql(`SELECT t::text FROM ${table} t`);
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain(code);
    }
  });
});

describe('the requested page', () => {
  const WANTED = '/console/requests?supplier=A%26B';

  it('is kept through the link of an operator that is opened in the same browser (C1)', async () => {
    const client = visitor();
    const signIn = locationOf(await client.get(WANTED))!;
    const page = await client.get(signIn);
    expect(page.text).toContain('Opened in this browser, it leads to the page that you wanted.');
    expect(page.headers.getSetCookie().find((line) => line.startsWith('data_import_wanted='))).toMatch(
      /; Max-Age=3600; Path=\/console; HttpOnly; SameSite=Strict$/,
    );
    const link = await linkFor();
    expect(locationOf(await client.post(link, {}, link))).toBe(WANTED);
    expect(client.cookie('data_import_wanted')).toBeUndefined();
  });

  it('is forgotten by the next direct sign-in, and must be a page of the console (C1)', async () => {
    const client = visitor();
    await client.get(locationOf(await client.get(WANTED))!);
    await client.get('/console/sign-in');
    const link = await linkFor();
    expect(locationOf(await client.post(link, {}, link))).toBe('/console/');
    const other = await linkFor();
    const cookie = 'data_import_wanted=https%3A%2F%2Fexample.com%2F';
    const page = await visitor().get(other, { cookie });
    expect(page.document.querySelector('input[name=next]')).toBeNull();
  });
});

describe('the form for an API key', () => {
  it('signs an admin of the organisation in (C1)', async () => {
    const { organisationId } = await service.given.supplier();
    const { key } = await issueKey(service, organisationId);
    const client = visitor();
    const page = await client.get('/console/sign-in?next=%2Fconsole%2Fno-page%3Fa%3Db');
    const next = page.document.querySelector('input[name=next]')?.getAttribute('value');
    expect(next).toBe('/console/no-page?a=b');
    const answer = await client.post('/console/sign-in', { api_key: ` ${key}\n`, next: next! });
    expect(locationOf(answer)).toBe('/console/no-page?a=b');
    const overview = await client.get('/console/');
    const organisation = await nameOf(service.database, { organisationId });
    expect(overview.document.querySelector('header .viewer')?.textContent).toContain(organisation);
  });

  it.each(['https://example.com/', '//example.com/', '/\\example.com', '/v1/', '/console/../v1/'])(
    'leads only to the overview when %s is requested (C1)',
    async (next) => {
      const { organisationId } = await service.given.organisation();
      const { key } = await issueKey(service, organisationId);
      const client = visitor();
      const page = await client.get(`/console/sign-in?next=${encodeURIComponent(next)}`);
      expect(page.document.querySelector('input[name=next]')).toBeNull();
      expect(locationOf(await client.post('/console/sign-in', { api_key: key, next }))).toBe('/console/');
    },
  );

  it('is shown again with a sentence for a wrong, revoked or expired key (C1)', async () => {
    const { organisationId } = await service.given.organisation();
    const over = await issueKey(service, organisationId, new Date(Date.now() - 1_000));
    const wrong = over.key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (const api_key of [over.key, wrong, 'nonsense', '']) {
      const page = await visitor().post('/console/sign-in', { api_key });
      expect(page.status).toBe(401);
      expect(page.document.querySelector('[role=alert]')?.textContent).toMatch(/^The API key is not valid/);
      expect(page.html).not.toContain(over.key);
    }
  });
});

describe('failed sign-ins', () => {
  it('count together with failed token calls, and are answered 429 beyond the limit (A9, C1)', async () => {
    await using limited = inBlock(await startService({ ...SETTINGS, TOKEN_FAILURES_PER_MINUTE: '3' }));
    const client = new ConsoleClient(limited.baseUrl);
    const guess = (): Promise<ConsolePage> => client.post('/console/sign-in', { api_key: 'guess' });
    expect((await guess()).status).toBe(401);
    expect((await client.post('/console/sign-in/guess')).status).toBe(401);
    const { body } = await graphql(
      limited,
      'mutation { obtainServiceToken(input: {apiKey: "guess"}) { token } }',
    );
    expect(body.errors![0]!.extensions.code).toBe('AUTHENTICATION_FAILED');
    for (const page of [await guess(), await client.post('/console/sign-in/guess')]) {
      expect(page.status).toBe(429);
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(page.text).toMatch(/^Too many failed attempts.*try again in \d+ seconds/);
    }
    const { organisationId } = await limited.given.organisation();
    const { key } = await issueKey(limited, organisationId);
    expect((await (await signInAsAdmin(limited, key)).get('/console/')).status).toBe(200);
  });
});

describe('a session', () => {
  it('is a cookie for 8 hours, inaccessible to scripts and sent from other sites only by links (C1)', async () => {
    const link = await linkFor();
    const cookie = sessionCookieOf(await visitor().post(link, {}, link));
    expect(cookie).toMatch(/; Path=\/console; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    const ends = Date.parse(/Expires=([^;]+)/.exec(cookie)![1]!);
    expect(Math.abs(ends - Date.now() - 8 * 3_600_000)).toBeLessThan(60_000);
  });

  it('is a cookie for this host and TLS only if it begins over TLS, and no other cookie is then read (A10, C1)', async () => {
    await using behindProxy = inBlock(await startService({ ...SETTINGS, TRUSTED_PROXIES: '127.0.0.1' }));
    const { organisationId } = await behindProxy.given.organisation();
    const { key } = await issueKey(behindProxy, organisationId);
    const signIn = async (headers: Record<string, string>): Promise<string> => {
      const client = new ConsoleClient(behindProxy.baseUrl);
      const page = await client.get('/console/sign-in', headers);
      const form = formOf({ api_key: key, _csrf: tokenIn(page) });
      const answer = await client.send('/console/sign-in', {
        ...form,
        headers: { ...form.headers, ...headers },
      });
      const [visitor, session] = [page, answer].map((each) => each.headers.getSetCookie()[0]!);
      expect(visitor!.replace('forms=', '=')).toMatch(/^(__Host-)?data_import_=/);
      expect(visitor!.startsWith('__Host-')).toBe(session!.startsWith('__Host-'));
      return session!;
    };
    const tls = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' };
    const overTls = await signIn(tls);
    expect(overTls).toMatch(
      /^__Host-data_import_session=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(await signIn({})).toMatch(/^data_import_session=[^;]+; Path=\/console; .*HttpOnly; SameSite=Lax$/);

    const value = /=([^;]+)/.exec(overTls)![1]!;
    const status = async (name: string, headers: Record<string, string>): Promise<number> => {
      const cookie = `${name}=${value}`;
      return (await new ConsoleClient(behindProxy.baseUrl).get('/console/', { ...headers, cookie })).status;
    };
    expect(await status('__Host-data_import_session', tls)).toBe(200);
    expect(await status('data_import_session', tls)).toBe(303);
    expect(await status('__Host-data_import_session', {})).toBe(303);
  });

  it('with a made-up secret is not looked up (A10)', async () => {
    const find = jest.spyOn(service.app.get(SessionsService, { strict: false }), 'find');
    const secret = 'c'.repeat(43);
    for (const value of [secret, `${secret}.${secret}`, 'short', '']) {
      const page = await visitor().get('/console/', { cookie: `data_import_session=${value}` });
      expect(page.status).toBe(303);
    }
    expect(find).not.toHaveBeenCalled();
    await signInAsOperator(service).then((client) => client.get('/console/'));
    expect(find).toHaveBeenCalled();
  });

  it('has a new secret after each sign-in, and the previous session has ended (C1)', async () => {
    const client = await signInAsOperator(service);
    const before = client.cookie('data_import_session')!;
    const link = await linkFor();
    expect((await client.post(link, {}, link)).status).toBe(303);
    expect(client.cookie('data_import_session')).not.toBe(before);
    const page = await visitor().get('/console/', { cookie: `data_import_session=${before}` });
    expect(page.status).toBe(303);
  });

  it('ends after 8 hours, and with a sign-out, which is a POST (C1)', async () => {
    const client = await signInAsOperator(service);
    const cookie = `data_import_session=${client.cookie('data_import_session')!}`;
    expect((await client.get('/console/sign-out')).status).toBe(405);
    const answer = await client.post('/console/sign-out');
    expect(locationOf(answer)).toBe('/console/sign-in');
    expect(sessionCookieOf(answer)).toMatch(
      /^data_import_session=; .*Path=\/console; Expires=Thu, 01 Jan 1970/,
    );
    expect((await visitor().get('/console/', { cookie })).status).toBe(303);

    const other = await signInAsOperator(service);
    await service.database.sql(`UPDATE console_session SET expires_at = now()`);
    expect((await other.get('/console/')).status).toBe(303);
  });

  it.each<[string, (world: { organisationId: string; keyId: string }) => Promise<unknown>]>([
    [
      'is revoked',
      ({ keyId }) => service.database.sql('UPDATE api_key SET revoked_at = now() WHERE id = $1', [keyId]),
    ],
    [
      'is over',
      ({ keyId }) => service.database.sql('UPDATE api_key SET expires_at = now() WHERE id = $1', [keyId]),
    ],
    [
      'belongs to an organisation that has to authenticate again',
      ({ organisationId }) =>
        service.database.sql('UPDATE organisation SET token_version = token_version + 1 WHERE id = $1', [
          organisationId,
        ]),
    ],
  ])('of an admin ends when the API key %s (A7, C3)', async (_how, change) => {
    const { organisationId } = await service.given.organisation();
    const [first, second] = [
      await issueKey(service, organisationId),
      await issueKey(service, organisationId),
    ];
    const client = await signInAsAdmin(service, first.key);
    expect((await client.get('/console/')).status).toBe(200);
    await change({ organisationId, keyId: first.id });
    expect((await client.get('/console/')).status).toBe(303);
    expect((await (await signInAsAdmin(service, second.key)).get('/console/')).status).toBe(200);
  });

  it('is recorded with its beginning and end (C1, O6)', async () => {
    const { organisationId } = await service.given.organisation();
    const { id, key } = await issueKey(service, organisationId);
    const admin = await signInAsAdmin(service, key);
    await admin.post('/console/sign-out');
    const operator = unique('operator');
    await (await signInAsOperator(service, operator)).post('/console/sign-out');
    const entries = await service.database.sql(
      'SELECT viewer, action, count(DISTINCT session_id)::integer AS sessions FROM viewed WHERE viewer = ANY ($1) GROUP BY viewer, action ORDER BY min(at), min(id::text)',
      [[`api key ${id}`, operator]],
    );
    expect(entries).toEqual([
      { viewer: `api key ${id}`, action: 'console.sign_in', sessions: 1 },
      { viewer: `api key ${id}`, action: 'console.sign_out', sessions: 1 },
      { viewer: operator, action: 'console.sign_in', sessions: 1 },
      { viewer: operator, action: 'console.sign_out', sessions: 1 },
    ]);
    const changes = await service.database.sql('SELECT action FROM audit_entry WHERE operator = ANY ($1)', [
      [`api key ${id}`, operator],
    ]);
    expect(changes).toEqual([{ action: 'console.link' }]);
  });

  it('is marked as seen at most once a minute, and removed a day after its end', async () => {
    const client = await signInAsOperator(service);
    const seen = async (): Promise<number> => {
      const rows = await service.database.sql(
        `SELECT FROM console_session WHERE last_seen_at > now() - interval '30 seconds'`,
      );
      return rows.length;
    };
    await service.database.sql(`UPDATE console_session SET last_seen_at = now() - interval '50 seconds'`);
    await client.get('/console/');
    expect(await seen()).toBe(0);
    await service.database.sql(`UPDATE console_session SET last_seen_at = now() - interval '61 seconds'`);
    await client.get('/console/');
    expect(await seen()).toBe(1);

    await service.database.sql(`UPDATE console_session SET expires_at = now() - interval '25 hours'`);
    await service.database.sql(`UPDATE console_sign_in_code SET expires_at = now() - interval '25 hours'`);
    await linkFor();
    const [left] = await service.database.sql(
      `SELECT (SELECT count(*)::integer FROM console_session) AS sessions,
              (SELECT count(*)::integer FROM console_sign_in_code) AS codes`,
    );
    expect(left).toEqual({ sessions: 0, codes: 1 });
  });
});
