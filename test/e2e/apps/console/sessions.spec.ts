import { randomBytes } from 'node:crypto';
import { SessionsService } from '../../../../src/apps/console/signed-in/sessions.service.js';
import { runJson } from '../../../support/cli.js';
import { ConsoleClient, rowsOf, signInAsAdmin, signInAsOperator } from '../../../support/console.js';
import { issueKey } from '../../../support/graphql.js';
import { startService, type TestService } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';

const service = setUp(() => startService({ CONSOLE: 'on' }));
const other = setUp(() => startService({ CONSOLE: 'on' }, { database: service.database }));

interface Key {
  readonly id: string;
  readonly key: string;
  readonly organisationId: string;
}

async function keyOf(organisationId?: string): Promise<Key> {
  const owner = organisationId ?? (await service.given.organisation()).organisationId;
  return { ...(await issueKey(service, owner)), organisationId: owner };
}

/** The ids of the live sessions of a key, oldest first. */
async function liveOf(apiKeyId: string): Promise<string[]> {
  const rows = await service.database.sql<{ id: string }>(
    'SELECT id FROM console_session WHERE api_key_id = $1 AND revoked_at IS NULL ORDER BY id',
    [apiKeyId],
  );
  return rows.map(({ id }) => id);
}

/** Sign in with a key, without the limit of sign-ins a minute. */
async function begin(at: TestService, { id: apiKeyId, organisationId }: Key): Promise<string> {
  const sessions = at.app.get(SessionsService, { strict: false });
  return (await sessions.beginWithApiKey({ apiKeyId, organisationId, tokenVersion: 1 }))!.id;
}

describe('the sessions of one API key', () => {
  it('are at most 20: the oldest ends (A10)', async () => {
    const owner = await keyOf();
    const { id, key, organisationId } = owner;
    const first = await signInAsAdmin(service, key);
    const sessions: string[] = [];
    for (let count = 0; count < 19; count += 1) sessions.push(await begin(service, owner));
    expect(await liveOf(id)).toHaveLength(20);
    expect((await first.get('/console/')).status).toBe(200);
    sessions.push(await begin(other, owner));
    expect(await liveOf(id)).toEqual(sessions);
    expect((await first.get('/console/')).status).toBe(303);
    // Another key of the organisation has its own limit.
    const second = await keyOf(organisationId);
    await signInAsAdmin(service, second.key);
    expect(await liveOf(id)).toEqual(sessions);
  });

  it('are at most 20 even when they begin concurrently on two instances (A10)', async () => {
    const owner = await keyOf();
    const begun = await Promise.all(
      Array.from({ length: 60 }, (_, n) => begin(n % 2 === 0 ? service : other, owner)),
    );
    const live = await liveOf(owner.id);
    expect(live).toHaveLength(20);
    expect(begun).toEqual(expect.arrayContaining(live));
  });

  it('begin at most ten times a minute; then a sign-in with this key only is answered 429 (A10)', async () => {
    const { key, organisationId } = await keyOf();
    const client = new ConsoleClient(service.baseUrl);
    for (let count = 0; count < 10; count += 1) {
      expect((await client.post('/console/sign-in', { api_key: key })).status).toBe(303);
      await client.post('/console/sign-out');
    }
    for (const at of [service, other]) {
      const page = await new ConsoleClient(at.baseUrl).post('/console/sign-in', { api_key: key });
      expect(page.status).toBe(429);
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(page.text).toMatch(/^Too many sign-ins.*with this API key.* try again in \d+ seconds/);
    }
    const second = await keyOf(organisationId);
    expect((await (await signInAsAdmin(service, second.key)).get('/console/')).status).toBe(200);
  });
});

describe('the list of sessions', () => {
  it('has pages, the newest session first, and the command lists all of them (A10, C1)', async () => {
    const { id, organisationId } = await keyOf();
    const before = ((await runJson(service.database, ['console', 'sessions'])).json as unknown[]).length;
    await service.database.sql(
      `INSERT INTO console_session (secret_hash, api_key_id, organisation_id, token_version, role, expires_at)
       SELECT decode($1 || lpad(to_hex(n), 8, '0'), 'hex'), $2, $3, 1, 'supplier', now() + interval '1 hour'
         FROM generate_series(1, 120) n`,
      [randomBytes(28).toString('hex'), id, organisationId],
    );
    const operator = await signInAsOperator(service, 'the newest');
    const pages = (await operator.pages('/console/sessions')).map((page) =>
      rowsOf(page).map(([user = '']) => user),
    );
    expect(pages[0]).toHaveLength(50);
    expect(pages[0]![0]).toMatch(/^the newest \(this session\)/);
    expect(pages.flat()).toHaveLength(before + 121);
    const { json } = await runJson(service.database, ['console', 'sessions']);
    const sessions = json as { created_at: string; operator: string | null }[];
    expect(sessions).toHaveLength(before + 121);
    expect(sessions.at(-1)).toMatchObject({ operator: 'the newest' });
    for (const after of ['nonsense', Buffer.from('["x"]').toString('base64url')]) {
      const page = await operator.get(`/console/sessions?after=${after}`);
      expect(rowsOf(page)[0]![0]).toMatch(/^the newest/);
    }
  });
});
