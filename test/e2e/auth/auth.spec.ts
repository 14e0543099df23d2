import { request } from 'node:http';
import { ApiKeysService } from '../../../src/auth/api-keys.service.js';
import { TokenService } from '../../../src/auth/token.service.js';
import { UnitOfWork } from '../../../src/infrastructure/database/unit-of-work.js';
import { expectError } from '../../support/expect-error.js';
import { expectFailure, graphql, issueKey, obtained } from '../../support/graphql.js';
import { startService, type Reply, type TestService } from '../../support/service.js';
import { setUp } from '../../support/set-up.js';
import { untilNoLonger } from '../../support/wait-until.js';

const { jest } = import.meta;

/** Maximum time until a revocation applies (A7). */
const REVOCATION_MS = 5_000;

const VIEWER = '{ viewer { organisation { id } } }';
const FORCE = 'mutation { forceReauthentication { effectiveAt } }';

describe('the Authorization header', () => {
  const service = setUp(startService);
  const create = (authorization?: string): Promise<Reply> =>
    service.call('notes/create/', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
      body: '{}',
    });
  const tokens = (): TokenService => service.app.get(TokenService, { strict: false });

  it.each(['Token ', 'token ', 'Bearer ', 'bearer  ', 'JWT ', ''])(
    'is accepted as %j and the token (A5)',
    async (scheme) => {
      const { token } = await service.given.organisation();
      expectError(await create(scheme + token), 400, 'validation_error');
    },
  );

  it.each([
    ['not_authenticated', undefined],
    ['authentication_failed', ''],
    ['authentication_failed', 'Token'],
    ['authentication_failed', 'Token nonsense'],
    ['authentication_failed', 'Basic bm9uc2Vuc2U6bm9uc2Vuc2U='],
    ['authentication_failed', 'Token Token nonsense'],
  ])('answers 401 %s to %j (T4)', async (code, header) => {
    const reply = await create(header);
    expectError(reply, 401, code, []);
    expect(reply.headers.get('www-authenticate')).toBe('Token');
    expect((reply.body as { detail: string }).detail.includes('scheme Basic')).toBe(
      header?.startsWith('Basic') === true,
    );
  });

  it('is refused with an expired or revoked token, a refresh token, and a token of an unknown key (T4, A7)', async () => {
    const { organisationId, apiKeyId } = await service.given.organisation();
    const stranger = await service.given.organisation();
    const subject = { sub: organisationId, key: apiKeyId, gen: 1 };
    const over = await issueKey(service, organisationId, new Date(Date.now() - 1_000));
    const revoked = await issueKey(service, organisationId);
    await service.app.get(ApiKeysService, { strict: false }).revoke(revoked.id, 'test');
    const cases: [code: string, token: string][] = [
      ['token_expired', tokens().issue('access', subject, Math.floor(Date.now() / 1_000) - 1).token],
      ['token_expired', tokens().issue('access', { ...subject, key: over.id }).token],
      ['token_revoked', tokens().issue('access', { ...subject, key: revoked.id }).token],
      ['token_revoked', tokens().issue('access', { ...subject, gen: 0 }).token],
      ['token_revoked', tokens().issue('access', { ...subject, gen: 2 }).token],
      ['authentication_failed', tokens().issue('refresh', subject).token],
      ['authentication_failed', tokens().issue('access', { ...subject, key: stranger.apiKeyId }).token],
      ['authentication_failed', tokens().issue('access', { ...subject, key: organisationId }).token],
    ];
    for (const [code, token] of cases) {
      const reply = await create(`Token ${token}`);
      expectError(reply, 401, code, []);
      expect(reply.headers.get('www-authenticate')).toBe('Token');
    }
  });

  it('is checked again after a query that failed (T4)', async () => {
    const { token } = await service.given.organisation();
    const work = service.app.get(UnitOfWork, { strict: false });
    const terminated = Object.assign(new Error('The database is stopped.'), { code: '57P01' });
    jest.spyOn(work, 'query').mockRejectedValueOnce(terminated);
    expectError(await create(token), 503, 'service_unavailable');
    expectError(await create(token), 400, 'validation_error');
  });

  it('is checked before the body is read (T10)', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const announced = request(`${service.baseUrl}/v1/data-import/notes/create/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': '5000' },
      });
      announced.on('error', reject);
      announced.on('response', (response) => {
        resolve(response.statusCode);
        announced.destroy();
      });
      announced.flushHeaders();
    });
    expect(status).toBe(401);
  });
});

describe('a revocation', () => {
  const here = setUp(startService);
  const there = setUp(() => startService({}, { database: here.database }));

  const codeAt = async (service: TestService, token: string): Promise<string> => {
    const reply = await service.post<{ code: string }>('notes/create/', token, {});
    return reply.body.code;
  };

  /** Poll both instances until both refuse; fail when one accepts a request sent after the allowed time. */
  const expectRefused = async (token: string, code: string, sinceMs: number): Promise<void> => {
    const isAccepted = (service: TestService) => async (): Promise<boolean> =>
      (await codeAt(service, token)) === 'validation_error';
    for (const service of [here, there]) {
      const acceptedAtMs = await untilNoLonger('the token is refused', isAccepted(service));
      expect(acceptedAtMs - sinceMs).toBeLessThan(REVOCATION_MS);
      expect(await codeAt(service, token)).toBe(code);
    }
  };

  const tokenKnownToBoth = async (): Promise<{
    organisationId: string;
    id: string;
    key: string;
    token: string;
  }> => {
    const { organisationId } = await here.given.organisation();
    const { id, key } = await issueKey(here, organisationId);
    const { token } = await obtained(here, { apiKey: key });
    expect([await codeAt(here, token), await codeAt(there, token)]).toEqual([
      'validation_error',
      'validation_error',
    ]);
    return { organisationId, id, key, token };
  };

  it('of a key, by its expiry or of all tokens applies on every instance within five seconds (A4, A7)', async () => {
    const [revoked, expiring, forced] = [
      await tokenKnownToBoth(),
      await tokenKnownToBoth(),
      await tokenKnownToBoth(),
    ];
    const sinceMs = performance.now();
    await here.app.get(ApiKeysService, { strict: false }).revoke(revoked.id, 'test');
    await here.database.sql('UPDATE api_key SET expires_at = now() WHERE id = $1', [expiring.id]);
    await graphql(here, FORCE, { token: forced.token });
    await Promise.all([
      expectRefused(revoked.token, 'token_revoked', sinceMs),
      expectRefused(expiring.token, 'token_expired', sinceMs),
      expectRefused(forced.token, 'token_revoked', sinceMs),
    ]);
  });

  it('of all tokens does not apply to newer ones, even on an instance that does not know of it yet (A4)', async () => {
    const { key, token } = await tokenKnownToBoth();
    await graphql(here, FORCE, { token });
    const { token: newer } = await obtained(here, { apiKey: key });
    expect([await codeAt(here, newer), await codeAt(there, newer)]).toEqual([
      'validation_error',
      'validation_error',
    ]);
  });
});

describe('the limit on an organisation’s requests', () => {
  const service = setUp(() => startService({ REQUESTS_PER_MINUTE: '3' }));

  it('answers 429 beyond the limit, whichever token is used, and to no other organisation (A9, T4)', async () => {
    const world = await service.given.organisation();
    const { key } = await issueKey(service, world.organisationId);
    const { token } = await obtained(service, { apiKey: key });
    for (const one of [world.token, token, world.token]) {
      expectError(await service.post('notes/create/', one, {}), 400, 'validation_error');
    }
    const reply = await service.post('notes/create/', token, {});
    expectError(reply, 429, 'throttled', []);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(reply.headers.get('retry-after'))).toBeLessThanOrEqual(20);
    const other = await service.given.organisation();
    expectError(await service.post('notes/create/', other.token, {}), 400, 'validation_error');
  });

  it('counts a GraphQL request with a token once, whatever it selects, together with the others (A9)', async () => {
    const { token } = await service.given.organisation();
    const aliases = Array.from({ length: 33 }, (_, n) => `a${n}: viewer { organisation { id } }`).join(' ');
    expect((await graphql(service, `{ ${aliases} }`, { token })).body.errors).toBeUndefined();
    expectError(await service.post('notes/create/', token, {}), 400, 'validation_error');
    expect((await graphql(service, FORCE, { token })).body.errors).toBeUndefined();
  });

  it('answers THROTTLED beyond the limit, with the time to wait (A9, A2)', async () => {
    const { organisationId, token } = await service.given.organisation();
    for (let requests = 0; requests < 3; requests += 1) await graphql(service, VIEWER, { token });
    const reply = await graphql(service, VIEWER, { token });
    expectFailure(reply, 'THROTTLED');
    expect(reply.body.errors![0]!.message).toMatch(/3 requests a minute are allowed; wait (1?\d|20) s /);
    expectError(await service.post('notes/create/', token, {}), 429, 'throttled', []);
    const { key } = await issueKey(service, organisationId);
    const { refreshToken } = await obtained(service, { apiKey: key });
    await obtained(service, { refreshToken });
  });

  it('does not count a GraphQL request without a valid token (A9)', async () => {
    const { token } = await service.given.organisation();
    for (let requests = 0; requests < 5; requests += 1) {
      expectFailure(await graphql(service, VIEWER), 'NOT_AUTHENTICATED');
      await graphql(service, '{ __typename }', { token });
    }
    expect((await graphql(service, VIEWER, { token })).body.errors).toBeUndefined();
  });
});
