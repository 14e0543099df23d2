import { ConsoleClient, signInAsAdmin } from '../../../support/console.js';
import { runCommand, runJson } from '../../../support/cli.js';
import { issueKey } from '../../../support/graphql.js';
import { startService, unique } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { nameOf } from '../../../support/suppliers.js';

const DATE_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string;
const ID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;

interface Link {
  readonly url: string;
  readonly expires_at: string;
  readonly operator: string;
}

interface Session {
  readonly id: string;
  readonly operator: string | null;
}

const service = setUp(() => startService({ CONSOLE: 'on' }));

async function run<Result>(args: readonly string[], settings: Record<string, string> = {}): Promise<Result> {
  const { exitCode, json } = await runJson(service.database, ['console', ...args], '', settings);
  expect(exitCode).toBe(0);
  return json as Result;
}

/** Sign in with a link that a command printed. */
async function open({ url }: Link): Promise<ConsoleClient> {
  const { origin, pathname } = new URL(url);
  expect(origin).toBe(service.baseUrl);
  const client = new ConsoleClient(origin);
  expect((await client.post(pathname, {}, pathname)).status).toBe(303);
  return client;
}

describe('data-import console link', () => {
  it('prints a link that signs the operator in, once (C1)', async () => {
    const link = await run<Link>(['link', '--base-url', service.baseUrl]);
    expect(link).toEqual({
      url: expect.any(String) as string,
      expires_at: DATE_TIME,
      operator: 'test operator',
    });
    const inMinutes = (Date.parse(link.expires_at) - Date.now()) / 60_000;
    expect(Math.round(inMinutes)).toBe(10);
    const page = await (await open(link)).get('/console/');
    expect(page.document.querySelector('header .viewer')?.textContent).toContain('test operator');
  });

  it('is for another operator with --for, and is recorded with its creator (C1, O6)', async () => {
    const name = unique('operator');
    const link = await run<Link>(['link', '--for', name, '--base-url', `${service.baseUrl}/`]);
    expect(link.operator).toBe(name);
    await open(link);
    const entries = await service.database.sql(
      `SELECT operator, action, subject FROM audit_entry WHERE $1 IN (operator, subject)
       UNION ALL SELECT viewer, action, session_id::text FROM viewed WHERE viewer = $1`,
      [name],
    );
    expect(entries).toEqual([
      { operator: 'test operator', action: 'console.link', subject: name },
      { operator: name, action: 'console.sign_in', subject: ID },
    ]);
  });

  it('begins with the address on which the service listens (C1)', async () => {
    const link = await run<Link>(['link'], { HOST: '0.0.0.0', PORT: '8080' });
    expect(link.url).toMatch(/^http:\/\/localhost:8080\/console\/sign-in\/[A-Za-z0-9_-]{43}$/);
    const { stdout, stderr } = await runCommand(service.database, ['console', 'link']);
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:3000\/console\/sign-in\/[A-Za-z0-9_-]{43}\n$/);
    expect(stderr).toMatch(/^Signs test operator in, once, until .*Z\.\n$/);
  });

  it.each([
    ['--for', ''],
    ['--for', 'x'.repeat(129)],
    ['--base-url', 'import.example'],
    ['--base-url', 'https://import.example/path'],
    ['--base-url', 'https://user@import.example'],
    ['--base-url', 'javascript:alert(1)'],
  ])('refuses %s %s (section 6)', async (option, value) => {
    const { exitCode, json } = await runJson(service.database, ['console', 'link', option, value]);
    expect(exitCode).toBe(2);
    expect(json).toMatchObject({ error: { code: 'wrong_usage' } });
  });
});

describe('data-import console sessions and console revoke', () => {
  it('show who is signed in, with which key, and end a session at once (C1, A6)', async () => {
    const { organisationId } = await service.given.organisation();
    const { id: keyId, key } = await issueKey(service, organisationId);
    const admin = await signInAsAdmin(service, key);
    const name = unique('operator');
    const operator = await open(await run<Link>(['link', '--for', name, '--base-url', service.baseUrl]));
    const sessions = (await run<Session[]>(['sessions'])).slice(-2);
    const organisation = await nameOf(service.database, { organisationId });
    const others = {
      ...{ created_at: DATE_TIME, last_seen_at: DATE_TIME, expires_at: DATE_TIME },
      ...{ person: null, issuer: null, subject: null },
    };
    expect(sessions).toEqual([
      { id: ID, operator: null, organisation, api_key_id: keyId, role: 'supplier', ...others },
      { id: ID, operator: name, organisation: null, api_key_id: null, role: 'operator', ...others },
    ]);
    const { stdout } = await runCommand(service.database, ['console', 'sessions']);
    expect(stdout).toContain(`${organisation}, admin of ${organisation}, API key test (${keyId})`);
    const listed = await runJson(service.database, ['api-key', 'list', organisationId]);
    expect((listed.json as object[]).at(-1)).toMatchObject({
      ...{ id: keyId, last_used_at: null, last_signed_in_at: DATE_TIME },
    });

    for (const [index, client] of [admin, operator].entries()) {
      expect((await client.get('/console/')).status).toBe(200);
      const { id } = sessions[index]!;
      expect(await run(['revoke', id])).toEqual({ sessions_ended: 1 });
      expect(await run(['revoke', id])).toEqual({ sessions_ended: 0 });
      expect((await client.get('/console/')).status).toBe(303);
      expect((await run<Session[]>(['sessions'])).map((session) => session.id)).not.toContain(id);
    }
  });

  it('say when nobody is signed in, and when there is no such session (C1)', async () => {
    await service.database.sql('UPDATE console_session SET revoked_at = now()');
    expect(await run(['sessions'])).toEqual([]);
    expect((await runCommand(service.database, ['console', 'sessions'])).stdout).toBe(
      'Nobody is signed in.\n',
    );
    for (const id of ['nobody', '00000000-0000-7000-8000-000000000000']) {
      const { exitCode, json } = await runJson(service.database, ['console', 'revoke', id]);
      expect(exitCode).toBe(1);
      expect(json).toMatchObject({ error: { code: 'session_not_found' } });
    }
  });
});
