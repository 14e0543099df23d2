import { request } from 'node:http';
import { PLACES } from '../../../../src/apps/console/common/addresses.js';
import { SessionsService } from '../../../../src/apps/console/signed-in/sessions.service.js';
import {
  ConsoleClient,
  formOf,
  signInAsOperator,
  tokenIn,
  type ConsolePage,
  adminOf,
} from '../../../support/console.js';
import { issueKey } from '../../../support/graphql.js';
import { expectError } from '../../../support/expect-error.js';
import { memoryLog } from '../../../support/memory-log.js';
import { startService, unique } from '../../../support/service.js';
import { inBlock, setUp } from '../../../support/set-up.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const log = memoryLog();

const service = setUp(() => startService({ CONSOLE: 'on' }, { logger: log.logger }));
const operator = setUp(() => signInAsOperator(service));
let admin: ConsoleClient;
beforeAll(async () => {
  const { organisationId } = await service.given.supplier();
  admin = await adminOf(service, { organisationId });
});

describe('a page', () => {
  it.each(['/console/', '/console/sessions', '/console/no-page', '/console/sign-in'])(
    'at %s is a document for this viewer only, which loads nothing from elsewhere (C4)',
    async (path) => {
      const { headers, html } = await operator.get(path);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'x-request-id': expect.any(String) as string,
      });
      expect(html).toMatch(/^<!doctype html><html lang="en">/);
      expect(html).not.toMatch(/ style=|<style|<script(?! src="\/console\/assets\/)|https?:\/\/| on\w+=/);
    },
  );

  it('has its assets for everyone, and no others', async () => {
    const visitor = new ConsoleClient(service.baseUrl);
    for (const [name, type] of [
      ['console.css', 'text/css; charset=utf-8'],
      ['htmx.js', 'text/javascript; charset=utf-8'],
      ['copy.js', 'text/javascript; charset=utf-8'],
      ['times.js', 'text/javascript; charset=utf-8'],
      ['refresh.js', 'text/javascript; charset=utf-8'],
      ['icon.svg', 'image/svg+xml'],
    ]) {
      const { status, headers } = await visitor.get(`/console/assets/${name}`);
      expect([status, headers.get('content-type')]).toEqual([200, type]);
    }
    expect((await operator.get('/console/assets/other.css')).status).toBe(404);
  });

  it('answers HEAD and OPTIONS like every address (T16)', async () => {
    const head = await operator.send('/console/', { method: 'HEAD' });
    expect([head.status, head.html, head.headers.get('content-type')]).toEqual([
      200,
      '',
      'text/html; charset=utf-8',
    ]);
    const options = await operator.send('/console/sessions', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });
});

describe('the zone of the times', () => {
  const inZone = (zone: string): Promise<ConsolePage> => {
    const session = `data_import_session=${operator.cookie('data_import_session')!}`;
    return operator.get('/console/sessions', { cookie: `${session}; data_import_time_zone=${zone}` });
  };

  it('is the one that the browser names, by any of its names (C7)', async () => {
    const page = await inZone('Asia/Kolkata');
    expect(page.document.querySelector('footer')?.textContent).toMatch(/^Times in Asia\/(Kolkata|Calcutta)$/);
    expect(page.text).toMatch(/\d\d:\d\d:\d\d GMT\+5:30/);
  });

  it.each(['', 'nonsense', '%2B05:00', 'Etc/%00', '<b>'])(
    'is the platform’s if the browser names %j (C7)',
    async (zone) => {
      expect((await inZone(zone)).document.querySelector('footer')?.textContent).toBe('Times in UTC');
    },
  );
});

describe('what goes wrong is a page', () => {
  it('for an address that does not exist (C3)', async () => {
    const { status, document, text } = await operator.get('/console/no/such/page');
    expect(status).toBe(404);
    expect(document.querySelector('h1')?.textContent).toBe('Page not found');
    expect(text).toContain('There is no such page, or you may not see it.');
    expect(document.querySelector('header.top')).not.toBeNull();
  });

  it('for a method that the address does not have, with and without a session (T4)', async () => {
    for (const client of [operator, new ConsoleClient(service.baseUrl)]) {
      const { status, headers, document } = await client.send('/console/sessions', { method: 'DELETE' });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect(document.querySelector('h1')?.textContent).toBe('Invalid request');
    }
  });

  it('for a change that cannot be made, with its sentence', async () => {
    const { status, text } = await operator.post('/console/sessions/nobody/revoke');
    expect(status).toBe(400);
    expect(text).toContain('There is no session with the id nobody');
  });

  it('while the database is unavailable (T4)', async () => {
    const release = await service.database.lock('console_session');
    const impatient = await startService(
      { CONSOLE: 'on', DATABASE_STATEMENT_TIMEOUT_MS: '100' },
      { database: service.database },
    );
    try {
      const cookie = `data_import_session=${operator.cookie('data_import_session')!}`;
      const page = await new ConsoleClient(impatient.baseUrl).get('/console/', { cookie });
      expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
      expect(page.text).toMatch(/^Service unavailable/);
    } finally {
      await release();
      await impatient.stop();
    }
  });
});

describe('the navigation', () => {
  it.each(PLACES.filter(([name]) => name !== 'docs'))(
    'leads to the page %s, which does not exist for those who may not see it (C2, C3)',
    async (_name, { address, operatorsOnly = false }) => {
      for (const [client, isVisible] of [[operator, true] as const, [admin, !operatorsOnly] as const]) {
        const links = (await client.get('/console/no-page')).document.querySelectorAll(
          'nav[aria-label=Main] a',
        );
        expect(links.some((link) => link.getAttribute('href') === address)).toBe(isVisible);
        const { status, document } = await client.get(address);
        const current = document.querySelector('[aria-label=Main] [aria-current=page]')?.getAttribute('href');
        expect([status, current]).toEqual(isVisible ? [200, address] : [404, undefined]);
      }
    },
  );
});

describe('a form', () => {
  const action = '/console/sign-out';

  /** Send it as another site or an old page would, and expect that nothing happens. */
  async function expectRefused(
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<void> {
    const form = formOf(fields);
    const page = await operator.send(action, { ...form, headers: { ...form.headers, ...headers } });
    expect(page.status).toBe(403);
    expect(page.text).toMatch(/^Not allowed/);
    expect((await operator.get('/console/')).status).toBe(200);
  }

  it('is refused without the token of the session, and with that of another (C3)', async () => {
    await expectRefused({});
    await expectRefused({ _csrf: '' });
    await expectRefused({ _csrf: 'nonsense' });
    await expectRefused({ _csrf: tokenIn(await admin.get('/console/')) });
    await expectRefused({ _csrf: tokenIn(await new ConsoleClient(service.baseUrl).get('/console/sign-in')) });
  });

  it('is refused with the token of an earlier session in the same browser (C3)', async () => {
    const client = await signInAsOperator(service);
    const _csrf = tokenIn(await client.get('/console/'));
    const sessions = service.app.get(SessionsService, { strict: false });
    const { code } = await sessions.makeLink('other', 'other');
    const link = `/console/sign-in/${code}`;
    expect((await client.post(link, {}, link)).status).toBe(303);
    expect((await client.send(action, formOf({ _csrf }))).status).toBe(403);
  });

  it('is refused when the browser says that another site sent it (C3)', async () => {
    const _csrf = tokenIn(await operator.get('/console/'));
    await expectRefused({ _csrf }, { 'sec-fetch-site': 'cross-site' });
    await expectRefused({ _csrf }, { 'sec-fetch-site': 'same-site' });
  });

  it('is refused without the form cookie, which is never sent from another site (C1, C3)', async () => {
    const client = await signInAsOperator(service);
    const _csrf = tokenIn(await client.get('/console/'));
    const session = `data_import_session=${client.cookie('data_import_session')!}`;
    const form = formOf({ _csrf });
    const post = async (cookie: string): Promise<number> =>
      (await client.send(action, { ...form, headers: { ...form.headers, cookie } })).status;
    expect(await post(session)).toBe(403);
    expect(await post(`${session}; data_import_forms=x`)).toBe(403);
    // A page reached by a link of another site has only the session cookie, and open forms remain valid.
    const page = await client.get('/console/', { cookie: session });
    expect(page.headers.getSetCookie()[0]).toMatch(
      /^data_import_forms=[^;]+; Path=\/console; HttpOnly; SameSite=Strict$/,
    );
    expect(await post(`${session}; data_import_forms=${client.cookie('data_import_forms')!}`)).toBe(303);
  });

  it('needs a token even without a session, so that another site cannot sign anybody in (C3)', async () => {
    const { organisationId } = await service.given.organisation();
    const { key } = await issueKey(service, organisationId);
    const visitor = new ConsoleClient(service.baseUrl);
    const stolen = tokenIn(await new ConsoleClient(service.baseUrl).get('/console/sign-in'));
    expect((await visitor.send('/console/sign-in', formOf({ api_key: key, _csrf: stolen }))).status).toBe(
      403,
    );
    await visitor.get('/console/sign-in');
    expect((await visitor.send('/console/sign-in', formOf({ api_key: key, _csrf: stolen }))).status).toBe(
      403,
    );
    expect(visitor.cookie('data_import_forms')).toMatch(/^.{32,}$/);
    expect(visitor.cookie('data_import_session')).toBeUndefined();
  });

  it('has a different token on each page, and each is accepted (C3)', async () => {
    const client = await signInAsOperator(service);
    const tokens = [tokenIn(await client.get('/console/')), tokenIn(await client.get('/console/'))];
    expect(tokens[0]).not.toBe(tokens[1]);
    expect((await client.send(action, formOf({ _csrf: tokens[0]! }))).status).toBe(303);
  });

  it('is read only as form data, up to 64 KiB (C3)', async () => {
    const _csrf = tokenIn(await operator.get('/console/'));
    const json = { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ _csrf }) };
    expect((await operator.send(action, json)).status).toBe(415);
    const multipart = new FormData();
    multipart.set('_csrf', _csrf);
    expect((await operator.send(action, { method: 'POST', body: multipart })).status).toBe(415);
    const tooLong = await operator.send(action, formOf({ _csrf, x: 'x'.repeat(65_536) }));
    expect([tooLong.status, tooLong.text]).toEqual([413, expect.stringMatching(/^Too much text/)]);
    expect((await operator.send(action, formOf({ _csrf, x: '\0' }))).status).toBe(400);
    expect(await sendInPieces(action, 'x'.repeat(70_000))).toBe(413);
  });

  it('uses the last value of a name that is sent twice', async () => {
    const client = await signInAsOperator(service);
    const token = encodeURIComponent(tokenIn(await client.get('/console/')));
    const { status } = await client.send(action, { ...formOf({}), body: `_csrf=nonsense&_csrf=${token}` });
    expect(status).toBe(303);
  });

  /** Send a body without a Content-Length. */
  function sendInPieces(path: string, body: string): Promise<number | undefined> {
    const cookie = `data_import_session=${operator.cookie('data_import_session')!}`;
    const headers = { ...formOf({}).headers, cookie, 'transfer-encoding': 'chunked' };
    return new Promise((resolve, reject) => {
      const sent = request(service.baseUrl + path, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end(body);
    });
  }
});

describe('the page of the sessions', () => {
  it('lists everyone who is signed in, and ends a session (C1, O6)', async () => {
    const name = unique('operator');
    const other = await signInAsOperator(service, name);
    const page = await operator.get('/console/sessions');
    const rows = page.document.querySelectorAll('tbody tr');
    const row = rows.find(({ textContent }) => textContent.includes(name))!;
    expect(rows.some(({ textContent }) => textContent.includes('API key'))).toBe(true);
    const path = row.querySelector('form')!.getAttribute('action')!;
    const answer = await operator.post(path, {}, '/console/sessions');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/sessions']);
    expect((await operator.get('/console/sessions')).html).not.toContain(name);
    expect((await other.get('/console/')).status).toBe(303);
    const id = path.split('/').at(-2);
    const entries = await service.database.sql(
      `SELECT action FROM (SELECT at, action FROM audit_entry WHERE subject = $1
                           UNION ALL SELECT at, action FROM viewed WHERE session_id = $1::uuid) ORDER BY at`,
      [id],
    );
    expect(entries).toEqual([{ action: 'console.sign_in' }, { action: 'console.revoke' }]);
  });

  it('does not exist for an admin (C3)', async () => {
    const own = await admin.get('/console/');
    expect(own.html).not.toContain('/console/sessions');
    const [session] = await service.database.sql<{ id: string }>(
      'SELECT id FROM console_session WHERE operator IS NOT NULL AND revoked_at IS NULL LIMIT 1',
    );
    const revoke = `/console/sessions/${session!.id}/revoke`;
    for (const page of [await admin.get('/console/sessions'), await admin.post(revoke)]) {
      expect(page.status).toBe(404);
      expect(page.html.replace(/value="[^"]+"/g, '')).toBe(
        (await admin.get('/console/no-page')).html.replace(/value="[^"]+"/g, ''),
      );
    }
    expect((await operator.get('/console/')).status).toBe(200);
  });
});

describe('without the console', () => {
  it.each<Record<string, string>>([{}, { CONSOLE: 'off' }])(
    'every address below /console/ is one that does not exist (C1)',
    async (settings) => {
      await using without = inBlock(await startService(settings));
      for (const path of ['/console/', '/console/sign-in', '/console/assets/console.css']) {
        expectError(await without.call(path, {}), 404, 'not_found');
      }
      expectError(await without.call('/console/sign-in', formOf({})), 404, 'not_found');
    },
  );
});
