import { readFileSync } from 'node:fs';
import { Budget } from '../../../src/infrastructure/limits/budget.js';
import { FeedReads } from '../../../src/infrastructure/audit/evidence/feed-reads.js';
import { runCommand, runJson } from '../../support/cli.js';
import { ConsoleClient } from '../../support/console.js';
import { expectError } from '../../support/expect-error.js';
import { expectFailure, graphql, obtain, obtained, type ServiceToken } from '../../support/graphql.js';
import { startService, type Reply } from '../../support/service.js';
import { setUp } from '../../support/set-up.js';
import { waitUntil } from '../../support/wait-until.js';

const SUPPLIERS = '/v1/platform/import-suppliers/';
/** Maximum time until a revocation applies (A7). */
const REVOKED_WITHIN_MS = 5_000;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

interface Issued {
  readonly id: string;
  readonly key: string;
  readonly expires_at: string;
}

interface SupplierList {
  readonly suppliers: { readonly code: string; readonly sequence: number }[];
}

const service = setUp(() => startService({ CONSOLE: 'on', TOKEN_FAILURES_PER_MINUTE: '1000' }));
const limited = setUp(() => startService({ REQUESTS_PER_MINUTE: '3', TOKEN_FAILURES_PER_MINUTE: '2' }));

async function issue(...args: string[]): Promise<Issued> {
  const words = ['platform-key', 'issue', 'billing', '--expires-in', '90d', ...args];
  const { exitCode, json } = await runJson(service.database, words);
  expect(exitCode).toBe(0);
  return json as Issued;
}

const suppliers = (token: string, of = service): Promise<Reply<SupplierList>> =>
  of.call<SupplierList>(SUPPLIERS, { headers: { authorization: `Token ${token}` } });

describe('a token of the platform', () => {
  it('is obtained with a platform key, and renewed like that of an API key (E5)', async () => {
    const { id, key, expires_at } = await issue();
    expect(key).toMatch(/^adi_platform_[0-9a-f]{16}_[\w-]{43}$/);
    const first = await obtained(service, { apiKey: key });
    const { payload }: ServiceToken = first;
    expect(payload).toMatchObject({ aud: 'platform', sub: id, key: id, exp: payload.iat + 3_600 });
    expect(first.refreshExpiresIn).toBe(payload.iat + 7 * 86_400);
    const renewed = await obtained(service, { refreshToken: first.refreshToken });
    expect(renewed.payload).toMatchObject({ aud: 'platform', sub: id, key: id, use: 'access' });
    expect(renewed.refreshExpiresIn).toBe(first.refreshExpiresIn);
    for (const { token } of [first, renewed]) expect((await suppliers(token)).status).toBe(200);
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now() + 89 * 86_400_000);
  });

  it('ends no later than its key, and a wrong key is refused like a wrong API key (E5)', async () => {
    const { key, expires_at } = await issue('--expires-in', '600s');
    const { payload, refreshExpiresIn } = await obtained(service, { apiKey: key });
    const expiry = Date.parse(expires_at) / 1_000;
    expect([payload.exp, refreshExpiresIn]).toEqual([expiry, expiry]);
    const wrong = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;
    for (const apiKey of [wrong, key.replace('adi_platform_', 'adi_live_')]) {
      expectFailure(await obtain(service, { apiKey }), 'AUTHENTICATION_FAILED');
    }
  });

  it('has the same limit of failures per address as that of an API key (E5)', async () => {
    const apiKey = `adi_platform_${'0'.repeat(16)}_${'A'.repeat(43)}`;
    const codes: unknown[] = [];
    for (let n = 0; n < 3; n += 1) {
      codes.push((await obtain(limited, { apiKey })).body.errors?.[0]?.extensions.code);
    }
    expect(codes).toEqual(['AUTHENTICATION_FAILED', 'AUTHENTICATION_FAILED', 'THROTTLED']);
  });

  it('lists the suppliers with the numbers of their newest changes, or only the one of its key (E5)', async () => {
    const { supplier: one } = await service.given.supplier({ name: 'One' });
    const { supplier: other } = await service.given.supplier({ status: 'paused' });
    await service.database.sql(
      `WITH made AS (
         INSERT INTO feed (import_supplier_id, last_sequence) SELECT id, 4000000000 FROM import_supplier WHERE code = $1
             ON CONFLICT (import_supplier_id) DO UPDATE SET last_sequence = excluded.last_sequence
         RETURNING import_supplier_id
       )
       INSERT INTO feed_epoch (import_supplier_id, number, continues_after, reason)
       SELECT made.import_supplier_id, 1, 0, 'test' FROM made ON CONFLICT DO NOTHING`,
      [one],
    );
    const all = await suppliers((await service.given.platformToken()).token);
    expect(all.status).toBe(200);
    expect(all.body.suppliers).toEqual(
      expect.arrayContaining([
        { code: one, name: 'One', status: 'ongoing', sequence: 4_000_000_000 },
        { code: other, name: other, status: 'paused', sequence: 0 },
      ]),
    );
    const { key } = await issue('--supplier', one);
    const { token } = await obtained(service, { apiKey: key });
    expect((await suppliers(token)).body.suppliers.map(({ code }) => code)).toEqual([one]);
  });

  it('gives no access to the suppliers’ endpoints (E5)', async () => {
    const { ref, token: suppliersToken } = await service.given.importedAccount();
    const { token } = await service.given.platformToken({ supplier: ref.import_supplier });
    const { paths } = JSON.parse(readFileSync('contract/openapi.json', 'utf8')) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      ['get', 'post'].filter((method) => method in item).map((method) => ({ path, method })),
    );
    expect(operations.length).toBeGreaterThan(9);
    for (const { path, method } of operations) {
      const address = path.replace(/\{(\w+)\}/g, (_all, name: keyof typeof ref) => ref[name]);
      const as = (caller: string): Promise<Reply> =>
        service.call(address, {
          method: method.toUpperCase(),
          headers: { authorization: `Token ${caller}`, 'content-type': 'application/json' },
          ...(method === 'post' && { body: 'not JSON' }),
        });
      expectError(await as(token), 404, 'not_found', []);
      expect((await as(suppliersToken)).status).not.toBe(404);
    }
  });

  it('is refused by the GraphQL operations that need a token (E5)', async () => {
    const { token } = await service.given.platformToken();
    for (const operation of [
      '{ viewer { organisation { id } } }',
      'mutation { forceReauthentication { effectiveAt } }',
    ]) {
      expectFailure(await graphql(service, operation, { token }), 'AUTHENTICATION_FAILED');
    }
  });

  it('is answered 401 like any other when it is invalid, and so is a request without one (E5)', async () => {
    expectError(await service.call(SUPPLIERS), 401, 'not_authenticated', []);
    expectError(await suppliers('nonsense'), 401, 'authentication_failed', []);
    const { refreshToken } = await obtained(service, { apiKey: (await issue()).key });
    expectError(await suppliers(refreshToken), 401, 'authentication_failed', []);
  });

  it('is revoked with its key within five seconds, on every instance (E5)', async () => {
    const { id, key } = await issue();
    const { token, refreshToken } = await obtained(service, { apiKey: key });
    expect((await suppliers(token)).status).toBe(200);
    expect((await runJson(service.database, ['platform-key', 'revoke', id])).exitCode).toBe(0);
    const revokedAtMs = performance.now();
    await waitUntil('it is revoked', async () => (await suppliers(token)).status === 401);
    expect(performance.now() - revokedAtMs).toBeLessThan(REVOKED_WITHIN_MS);
    expectError(await suppliers(token), 401, 'token_revoked', []);
    expectFailure(await obtain(service, { refreshToken }), 'TOKEN_REVOKED');
    expectFailure(await obtain(service, { apiKey: key }), 'AUTHENTICATION_FAILED');
  });

  it('has its own limit of requests and its own share of the process (E5)', async () => {
    const answers: number[] = [];
    const { token: busy } = await limited.given.platformToken();
    for (let n = 0; n < 4; n += 1) answers.push((await suppliers(busy, limited)).status);
    const { token: other } = await limited.given.platformToken();
    answers.push((await suppliers(other, limited)).status);
    expect(answers).toEqual([200, 200, 200, 429, 200]);

    const { keyId, token } = await service.given.platformToken();
    const budget = service.app.get(Budget);
    const share = Array.from({ length: 64 }, () => budget.admit(keyId, ['requests']));
    expectError(await suppliers(token), 503, 'service_unavailable', []);
    expect((await suppliers((await service.given.platformToken()).token)).status).toBe(200);
    for (const one of share) one.release();
    expect((await suppliers(token)).status).toBe(200);
  });
});

describe('a token of a supplier', () => {
  it('gives no access to the platform’s endpoints, even with the only supplier granted (E5)', async () => {
    const { token } = await service.given.supplier();
    expectError(await suppliers(token), 404, 'not_found', []);
  });
});

describe('a platform key', () => {
  it('does not sign in to the console (E5)', async () => {
    const { key } = await issue();
    const answer = await new ConsoleClient(service.baseUrl).post('/console/sign-in', { api_key: key });
    expect(answer.status).toBe(401);
  });

  it('is listed without its secret, and its issue and revocation are recorded (E5)', async () => {
    const { supplier } = await service.given.supplier();
    const { id, key, expires_at } = await issue('--supplier', supplier);
    await obtained(service, { apiKey: key });
    const listed = async (): Promise<unknown[]> =>
      ((await runJson(service.database, ['platform-key', 'list'])).json as { id: string }[]).filter(
        (one) => one.id === id,
      );
    const time = expect.stringMatching(DATE_TIME) as string;
    const row = {
      ...{ id, prefix: key.slice(0, 29), name: 'billing', import_supplier: supplier },
      ...{ created_at: time, expires_at, revoked_at: null, last_used_at: time },
    };
    expect(await listed()).toEqual([row]);
    const revoke = ['platform-key', 'revoke', id];
    const revoked = await runJson(service.database, revoke);
    expect(revoked).toMatchObject({ exitCode: 0, json: { id, revoked_at: time } });
    expect((await runJson(service.database, revoke)).json).toEqual(revoked.json);
    expect(await listed()).toEqual([{ ...row, revoked_at: time }]);
    const audited = await runJson(service.database, ['audit', 'list', '--supplier', supplier]);
    const { revoked_at } = revoked.json as { revoked_at: string };
    expect(audited.json).toEqual([
      expect.objectContaining({
        ...{
          operator: 'test operator',
          action: 'platform_key.revoke',
          subject: id,
          import_supplier: supplier,
        },
        details: { name: 'billing', from: { revoked_at: null }, to: { revoked_at } },
      }),
      expect.objectContaining({
        ...{
          operator: 'test operator',
          action: 'platform_key.issue',
          subject: id,
          import_supplier: supplier,
        },
        details: { name: 'billing', expires_at },
      }),
    ]);
  });

  it('is printed for a person once, with the advice to store it (E5)', async () => {
    const { stdout, stderr } = await runCommand(service.database, [
      ...['platform-key', 'issue', 'data warehouse', '--expires-in', '2w'],
    ]);
    expect(stdout).toMatch(/^id: {7}[0-9a-f-]{36}\nkey: {6}adi_platform_\S+\nexpires: {2}\S+Z\n$/);
    expect(stderr).toMatch(/cannot be shown again\.\n$/);
    const listed = await runCommand(service.database, ['platform-key', 'list']);
    expect(listed.stdout).toMatch(/ {2}data warehouse {2}all +\S+Z {2}\S+Z {2}never +never\n/);
  });

  it.each([
    [1, 'supplier_not_found', ['issue', 'billing', '--expires-in', '90d', '--supplier', 'nowhere']],
    [1, 'platform_key_not_found', ['revoke', 'no-id']],
    [1, 'platform_key_not_found', ['revoke', '0193a1b2-0000-7000-8000-000000000001']],
    [2, 'wrong_usage', ['issue', 'billing']],
    [2, 'wrong_usage', ['issue', ' ', '--expires-in', '90d']],
    [2, 'wrong_usage', ['issue', 'billing', '--expires-in', '90']],
  ])('is refused with exit %i and %s: %j (E5)', async (exitCode, code, args) => {
    const words = ['platform-key', ...args];
    expect(await runJson(service.database, words)).toMatchObject({ exitCode, json: { error: { code } } });
  });
});

describe('reads of a feed', () => {
  it('are one row of evidence an hour, which audit list --views shows (E5)', async () => {
    const { supplier } = await service.given.supplier();
    const { keyId } = await service.given.platformToken();
    await service.app.get(FeedReads, { strict: false }).record(keyId, supplier);
    const { json } = await runJson(service.database, ['audit', 'list', '--views', '--supplier', supplier]);
    expect(json).toEqual([
      expect.objectContaining({
        ...{
          operator: `platform key ${keyId}`,
          action: 'feed.read',
          subject: supplier,
          import_supplier: supplier,
        },
        details: expect.objectContaining({ count: 1 }) as object,
      }),
    ]);
  });
});
