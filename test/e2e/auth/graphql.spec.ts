import { readFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import type { IntrospectionQuery } from 'graphql';
import { ApiKeysService } from '../../../src/auth/api-keys.service.js';
import { OperationError } from '../../../src/auth/graphql/graphql-errors.js';
import { ServiceTokensService } from '../../../src/auth/service-tokens.service.js';
import { TokenService } from '../../../src/auth/token.service.js';
import { ImportSuppliersService } from '../../../src/import-suppliers/import-suppliers.service.js';
import {
  expectFailure,
  graphql,
  issueKey,
  obtain,
  obtained,
  OBTAIN,
  type GraphqlBody,
} from '../../support/graphql.js';

import { memoryLog } from '../../support/memory-log.js';
import { importOutside } from '../../support/outside.js';
import { waitUntil } from '../../support/wait-until.js';
import { startService, unique, type Reply } from '../../support/service.js';
import { inBlock, setUp } from '../../support/set-up.js';

const { jest } = import.meta;
const { pino } = await importOutside<typeof import('pino')>('pino');
const { buildClientSchema, getIntrospectionQuery, lexicographicSortSchema, printSchema } =
  await importOutside<typeof import('graphql')>('graphql');

const VIEWER = '{ viewer { organisation { id name } importSuppliers { code name status } } }';
const FORCE = 'mutation { forceReauthentication { effectiveAt } }';
/** Too high for any test to reach. */
const NO_LIMIT = { TOKEN_FAILURES_PER_MINUTE: '1000000' };

describe('the GraphQL interface', () => {
  const service = setUp(() => startService(NO_LIMIT));
  const tokens = (): TokenService => service.app.get(TokenService, { strict: false });

  describe('obtainServiceToken', () => {
    it('returns a token for an API key, which the data-import endpoints accept, for an hour, and a refresh token for a week (A1, A3)', async () => {
      const { organisationId } = await service.given.organisation();
      const { key, id } = await issueKey(service, organisationId);
      const { payload, token, refreshExpiresIn } = await obtained(service, { apiKey: key });
      expect(payload).toMatchObject({ sub: organisationId, key: id, use: 'access' });
      expect([payload.exp, refreshExpiresIn]).toEqual([payload.iat + 3_600, payload.iat + 604_800]);
      expect((await service.post('notes/create/', token, {})).status).toBe(400);
    });

    it('returns no expiry later than that of the key, also after a refresh (A1, A6)', async () => {
      const { organisationId } = await service.given.organisation();
      const ends = [Date.now() + 60_000, Date.now() + 7_200_000].map((endsAtMs) => new Date(endsAtMs));
      for (const expiresAt of ends) {
        const { key } = await issueKey(service, organisationId, expiresAt);
        const keyExpiresAt = Math.ceil(expiresAt.getTime() / 1_000);
        const first = await obtained(service, { apiKey: key });
        const next = await obtained(service, { refreshToken: first.refreshToken });
        for (const { payload, refreshExpiresIn } of [first, next]) {
          expect(refreshExpiresIn).toBe(keyExpiresAt);
          expect(payload.exp).toBe(Math.min(payload.iat + 3_600, keyExpiresAt));
        }
      }
    });

    it('answers the same at the address without the trailing slash, with Cache-Control: no-store (T1, T3)', async () => {
      const { organisationId } = await service.given.organisation();
      const { key } = await issueKey(service, organisationId);
      const reply = await service.call<GraphqlBody>('/v1/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-request-id': 'the-callers-own' },
        body: JSON.stringify({ query: OBTAIN, variables: { input: { apiKey: key } } }),
      });
      expect(reply.body.errors).toBeUndefined();
      expect(reply.headers.get('cache-control')).toBe('no-store');
      expect(reply.headers.get('x-request-id')).toBe('the-callers-own');
    });

    it('ignores an Authorization header, even an invalid one (A1)', async () => {
      const { organisationId } = await service.given.organisation();
      const { key } = await issueKey(service, organisationId);
      const reply = await obtain(service, { apiKey: key }, { token: 'nonsense' });
      expect(reply.body.errors).toBeUndefined();
    });

    it('can be refreshed repeatedly with the same refresh token, always to the same expiry (A1, A3)', async () => {
      const { organisationId, apiKeyId } = await service.given.organisation();
      const end = Math.floor(Date.now() / 1_000) + 4_000;
      const subject = { sub: organisationId, key: apiKeyId, gen: 1 };
      const { token: refreshToken } = tokens().issue('refresh', subject, end);
      const first = await obtained(service, { refreshToken });
      const again = await obtained(service, { refreshToken });
      const next = await obtained(service, { refreshToken: first.refreshToken });
      expect([first, again, next].map(({ refreshExpiresIn }) => refreshExpiresIn)).toEqual([end, end, end]);
      expect(new Set([first, again, next].map(({ token }) => token)).size).toBe(3);
    });

    it.each([
      ['neither credential', {}],
      ['both', { apiKey: 'a', refreshToken: 'b' }],
      ['two nulls', { apiKey: null, refreshToken: null }],
      ['a blank key', { apiKey: ' ' }],
      ['a blank refresh token', { refreshToken: '' }],
      ['a variable of the wrong type', { apiKey: 5 }],
    ])('refuses %s as INVALID_INPUT (A1, A2)', async (_what, input) => {
      expectFailure(await obtain(service, input), 'INVALID_INPUT');
    });

    it('answers the same to an unknown, wrong, revoked and expired key (A2, A6)', async () => {
      const { organisationId } = await service.given.organisation();
      const keys = service.app.get(ApiKeysService, { strict: false });
      const revoked = await issueKey(service, organisationId);
      await keys.revoke(revoked.id, 'test');
      const expired = await issueKey(service, organisationId, new Date(Date.now() - 1_000));
      const good = await issueKey(service, organisationId);
      const wrong = good.key.slice(0, -3) + (good.key.endsWith('AAA') ? 'BBB' : 'AAA');
      const unknown = `adi_live_0123456789abcdef_${'x'.repeat(43)}`;
      const replies = [];
      for (const apiKey of ['nonsense', 'adi_live_', unknown, wrong, revoked.key, expired.key]) {
        const reply = await obtain(service, { apiKey });
        expectFailure(reply, 'AUTHENTICATION_FAILED');
        replies.push(JSON.stringify(reply.body));
      }
      expect(new Set(replies).size).toBe(1);
      await obtained(service, { apiKey: good.key });
    });

    it('distinguishes an invalid, an expired and a revoked refresh token (A2)', async () => {
      const { organisationId, apiKeyId } = await service.given.organisation();
      const subject = { sub: organisationId, key: apiKeyId, gen: 1 };
      const past = Math.floor(Date.now() / 1_000) - 10;
      const refresh = (refreshToken: string): ReturnType<typeof obtain> => obtain(service, { refreshToken });
      expectFailure(await refresh('nonsense'), 'REFRESH_TOKEN_INVALID');
      expectFailure(await refresh(tokens().issue('access', subject).token), 'REFRESH_TOKEN_INVALID');
      expectFailure(await refresh(tokens().issue('refresh', subject, past).token), 'REFRESH_TOKEN_EXPIRED');
      const ofPast = tokens().issue('refresh', { ...subject, gen: 0 });
      expectFailure(await refresh(ofPast.token), 'TOKEN_REVOKED');
      const expiring = await issueKey(service, organisationId, new Date(Date.now() - 1_000));
      const ofExpired = tokens().issue('refresh', { ...subject, key: expiring.id });
      expectFailure(await refresh(ofExpired.token), 'REFRESH_TOKEN_EXPIRED');
      const doomed = await issueKey(service, organisationId);
      await service.app.get(ApiKeysService, { strict: false }).revoke(doomed.id, 'test');
      const ofRevoked = tokens().issue('refresh', { ...subject, key: doomed.id });
      expectFailure(await refresh(ofRevoked.token), 'TOKEN_REVOKED');
    });

    it('records the use of a key at most once a minute (A6)', async () => {
      const { organisationId } = await service.given.organisation();
      const { id, key } = await issueKey(service, organisationId);
      const lastUse = async (secondsAgo: number): Promise<number> => {
        await service.database.sql(
          `UPDATE api_key SET last_used_at = now() - $2 * interval '1 s' WHERE id = $1`,
          [id, secondsAgo],
        );
        await obtained(service, { apiKey: key });
        const [row] = await service.database.sql<{ age: number }>(
          `SELECT extract(epoch FROM now() - last_used_at)::float8 AS age FROM api_key WHERE id = $1`,
          [id],
        );
        return row!.age;
      };
      expect(await lastUse(30)).toBeGreaterThanOrEqual(30);
      expect(await lastUse(90)).toBeLessThan(30);
    });

    it('stores a hash of the key and nothing of its secret (A6)', async () => {
      const { organisationId } = await service.given.organisation();
      const { id, key } = await issueKey(service, organisationId);
      expect(key).toMatch(/^adi_live_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/);
      const [row] = await service.database.sql<{ stored: string }>(
        `SELECT to_jsonb(k)::text AS stored FROM api_key k WHERE id = $1`,
        [id],
      );
      expect(row!.stored).not.toContain(key.slice(-43));
    });
  });

  describe('an operation that needs a token', () => {
    it('shows the caller’s organisation and the suppliers granted to it, ordered by code (A4, A8)', async () => {
      const world = await service.given.supplier({ status: 'paused' });
      const other = await service.given.supplier();
      await service.given.grant(other.supplier, world.organisationId);
      await service.given.supplier();
      const { body } = await graphql<{ viewer: unknown }>(service, VIEWER, { token: world.token });
      expect(body.errors).toBeUndefined();
      const suppliers = [
        { code: world.supplier, name: world.supplier, status: 'paused' },
        { code: other.supplier, name: other.supplier, status: 'ongoing' },
      ].sort((a, b) => (a.code < b.code ? -1 : 1));
      expect(body.data!.viewer).toEqual({
        organisation: { id: world.organisationId, name: expect.stringMatching(/^Organisation-/) as string },
        importSuppliers: suppliers,
      });
    });

    it.each([
      ['NOT_AUTHENTICATED', 'no token', undefined],
      ['AUTHENTICATION_FAILED', 'nonsense', 'nonsense'],
    ])('answers %s to %s (A2, A4)', async (code, _what, token) => {
      expectFailure(await graphql(service, VIEWER, token === undefined ? {} : { token }), code);
      expectFailure(await graphql(service, FORCE, token === undefined ? {} : { token }), code);
    });

    it('answers TOKEN_EXPIRED to an expired token and TOKEN_REVOKED to a revoked one (A2)', async () => {
      const { organisationId, apiKeyId } = await service.given.organisation();
      const subject = { sub: organisationId, key: apiKeyId, gen: 1 };
      const expired = tokens().issue('access', subject, Math.floor(Date.now() / 1_000) - 1);
      const revoked = tokens().issue('access', { ...subject, gen: 0 });
      expectFailure(await graphql(service, VIEWER, { token: expired.token }), 'TOKEN_EXPIRED');
      expectFailure(await graphql(service, VIEWER, { token: revoked.token }), 'TOKEN_REVOKED');
    });

    it('revokes every earlier token of the organisation, and accepts new ones at once (A4)', async () => {
      const { organisationId } = await service.given.organisation();
      const stranger = await service.given.organisation();
      const { key } = await issueKey(service, organisationId);
      const before = await obtained(service, { apiKey: key });
      const forced = await graphql<{ forceReauthentication: { effectiveAt: string } }>(service, FORCE, {
        token: before.token,
      });
      expect(forced.body.data?.forceReauthentication.effectiveAt).toMatch(
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
      );
      expectFailure(await graphql(service, VIEWER, { token: before.token }), 'TOKEN_REVOKED');
      expectFailure(await obtain(service, { refreshToken: before.refreshToken }), 'TOKEN_REVOKED');
      const after = await obtained(service, { apiKey: key });
      const replies = [
        await graphql(service, VIEWER, { token: after.token }),
        await graphql(service, VIEWER, { token: stranger.token }),
      ];
      expect(replies.map(({ body }) => body.errors)).toEqual([undefined, undefined]);
    });

    it('reads the granted suppliers once in a request, however often they are selected (A4, A9)', async () => {
      const world = await service.given.supplier();
      const list = jest.spyOn(ImportSuppliersService.prototype, 'granted');
      const aliases = Array.from({ length: 33 }, (_, n) => `a${n}: viewer { importSuppliers { code } }`);
      for (let requests = 1; requests <= 2; requests += 1) {
        const { body } = await graphql(service, `{ ${aliases.join(' ')} }`, { token: world.token });
        const answers = Object.values(body.data as Record<string, unknown>);
        expect(answers).toEqual(Array(33).fill({ importSuppliers: [{ code: world.supplier }] }));
        expect(list).toHaveBeenCalledTimes(requests);
      }
    });

    it('answers that the service is unavailable while the database does not answer an operation (A2, T4)', async () => {
      const log = memoryLog();
      const settings = { ...NO_LIMIT, DATABASE_STATEMENT_TIMEOUT_MS: '250' };
      await using own = inBlock(await startService(settings, { logger: log.logger }));
      const { token } = await own.given.organisation();
      expect((await graphql(own, VIEWER, { token })).body.errors).toBeUndefined();
      const release = await own.database.lock('import_supplier_grant');
      const reply = await graphql(own, VIEWER, { token });
      await release();
      expectFailure(reply, 'SERVICE_UNAVAILABLE');
      const id = reply.headers.get('x-request-id');
      const causes = log.lines().filter(({ request_id, level }) => request_id === id && level === 'error');
      expect(causes).toMatchObject([{ msg: 'service_unavailable', err: { code: '57014' } }]);
    });

    it('hides the details of an unexpected error (A2)', async () => {
      const { token } = await service.given.organisation();
      await service.database.sql('ALTER TABLE import_supplier_grant RENAME TO hidden');
      try {
        const reply = await graphql(service, VIEWER, { token });
        expectFailure(reply, 'INTERNAL_SERVER_ERROR');
        expect(JSON.stringify(reply.body)).not.toMatch(/relation|stack|import_supplier_grant/);
      } finally {
        await service.database.sql('ALTER TABLE hidden RENAME TO import_supplier_grant');
      }
    });
  });

  describe('GraphQL over HTTP', () => {
    const NEW = 'application/graphql-response+json';
    const send = (init: RequestInit, query = ''): Promise<Reply<GraphqlBody>> =>
      service.call<GraphqlBody>(`/v1/graphql/${query}`, init);
    const post = (body: string, headers: Record<string, string> = {}): Promise<Reply<GraphqlBody>> =>
      send({ method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
    const postQuery = (query: string, accept?: string): Promise<Reply<GraphqlBody>> =>
      post(JSON.stringify({ query }), accept === undefined ? {} : { accept });
    const codeOf = ({ body }: Reply<GraphqlBody>): unknown => body.errors?.[0]?.extensions.code;

    it.each([
      ['application/json', 'application/json'],
      [NEW, NEW],
      [`${NEW}, application/json;q=0.9`, NEW],
      ['*/*', 'application/json'],
    ])('answers a client that accepts %s with %s (A2)', async (accept, type) => {
      const reply = await postQuery('{ __typename }', accept);
      expect(reply.status).toBe(200);
      expect(reply.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
      expect(reply.body).toEqual({ data: { __typename: 'Query' } });
    });

    it('answers 406 to a client that accepts none of the media types (A2)', async () => {
      expect((await postQuery('{ __typename }', 'image/png')).status).toBe(406);
    });

    it.each([
      ['not JSON', '{'],
      ['not an object', '"{ __typename }"'],
      ['null', 'null'],
      ['a batch', '[{"query":"{ __typename }"}]'],
      ['without a query', '{"qeury":"{ __typename }"}'],
      ['with a query that is no text', '{"query":{}}'],
      ['with variables that are no map', '{"query":"{ __typename }","variables":[]}'],
      ['empty', ''],
    ])('answers 400 to a body that is %s, in either media type (A2)', async (_what, body) => {
      for (const accept of ['application/json', NEW]) {
        const reply = await post(body, { accept });
        expect([reply.status, reply.headers.get('content-type')]).toEqual([400, `${accept}; charset=utf-8`]);
        expect(Object.keys(reply.body.errors![0]!.extensions)).toEqual(['code', 'errorDescription']);
        expect(reply.headers.get('x-request-id')).not.toBeNull();
      }
    });

    it.each([
      ['GRAPHQL_PARSE_FAILED', '{'],
      ['GRAPHQL_VALIDATION_FAILED', '{ nothing }'],
      ['OPERATION_RESOLUTION_FAILURE', 'query A { __typename } query B { __typename }'],
    ])('answers %s with the status of the media type (A2)', async (code, query) => {
      const [old, young] = [await postQuery(query), await postQuery(query, NEW)];
      expect([old.status, young.status]).toEqual([200, 400]);
      expect([codeOf(old), codeOf(young)]).toEqual([code, code]);
      expect(Object.keys(old.body.errors![0]!.extensions)).toEqual(['code', 'errorDescription']);
    });

    it('answers 200 to an operation that was executed and failed, in either media type (A2)', async () => {
      expect((await postQuery(VIEWER)).status).toBe(200);
      expect((await postQuery(VIEWER, NEW)).status).toBe(200);
    });

    it('executes queries of a GET and of a HEAD, but no mutations (A2, T16)', async () => {
      const get = await send({}, `?query=${encodeURIComponent('{ __typename }')}`);
      expect(get).toMatchObject({ status: 200, body: { data: { __typename: 'Query' } } });
      const head = await send({ method: 'HEAD' }, `?query=${encodeURIComponent('{ __typename }')}`);
      const lengths = [head, get].map(({ headers }) => headers.get('content-length'));
      expect([head.status, lengths[0]]).toEqual([200, lengths[1]]);
      const wrong = await send({ method: 'HEAD' }, `?query=${encodeURIComponent('{ nothing }')}`);
      expect(wrong.status).toBe(200);
      const mutation = await send({}, `?query=${encodeURIComponent(FORCE)}`);
      expect([mutation.status, mutation.headers.get('allow')]).toEqual([405, 'POST']);
    });

    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      undefined,
    ])(
      'refuses a body of type %s, which a web page could send without a preflight request (A2)',
      async (type) => {
        const body = new TextEncoder().encode(JSON.stringify({ query: FORCE }));
        const reply = await send({
          method: 'POST',
          headers: type === undefined ? {} : { 'content-type': type },
          body,
        });
        expect([reply.status, codeOf(reply)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      },
    );

    it('answers an unknown method with the allowed ones in Allow (T4, T16)', async () => {
      const [put, options] = [await send({ method: 'PUT' }), await send({ method: 'OPTIONS' })];
      const answers = [put, options].map(({ status, headers }) => [status, headers.get('allow')]);
      expect(answers).toEqual([405, 204].map((status) => [status, 'GET, HEAD, OPTIONS, POST']));
    });

    it('accepts a body of at most 128 KiB (T15)', async () => {
      const ofBytes = (bytes: number): string => JSON.stringify({ query: '{ __typename }' }).padEnd(bytes);
      expect(await post(ofBytes(131_072))).toMatchObject({ status: 200 });
      const reply = await post(ofBytes(131_073));
      expect([reply.status, codeOf(reply)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });

    it('serves its schema, which is public, and no page for browsers (T1)', async () => {
      const reply = await postQuery(getIntrospectionQuery({ specifiedByUrl: true }));
      expect(reply.body.errors).toBeUndefined();
      const page = await send({ headers: { accept: 'text/html' } });
      expect([page.status, JSON.stringify(page.body).includes('<')]).toEqual([406, false]);
      const served = buildClientSchema(reply.body.data as IntrospectionQuery);
      const published = await readFile('contract/schema.graphql', 'utf8');
      expect(`${printSchema(lexicographicSortSchema(served))}\n`).toBe(published);
    });

    it.each([
      [
        'select many fields',
        `{ ${Array.from({ length: 101 }, (_, n) => `a${n}: viewer { __typename }`).join(' ')} }`,
        /100 fields/,
      ],
      ['are long', `{ ${'__typename '.repeat(2_001)} }`, /token/i],
    ])('limits what one request can cost: operations that %s (A9)', async (_what, query, refused) => {
      const reply = await postQuery(query, NEW);
      expect(reply.status).toBe(400);
      expect(reply.body.errors![0]!.message).toMatch(refused);
    });

    it.each([
      [
        'forceReauthentication twice (A9)',
        `mutation { a: forceReauthentication { effectiveAt } b: forceReauthentication { effectiveAt } }`,
      ],
      ['a subscription (A2)', 'subscription { x }'],
    ])('refuses a document with %s', async (_what, query) => {
      expect(codeOf(await postQuery(query, NEW))).toBe('GRAPHQL_VALIDATION_FAILED');
    });

    it('processes at most four documents without a token at a time, and others meanwhile (A9)', async () => {
      const { token } = await service.given.organisation();
      let open: (reason: Error) => void = () => undefined;
      const worked = jest.spyOn(ServiceTokensService.prototype, 'obtain');
      worked.mockReturnValue(new Promise((_resolve, reject) => (open = reject)));
      const calls = Array.from({ length: 8 }, () => obtain(service, { apiKey: 'x' }));
      await waitUntil('four are worked on', () => Promise.resolve(worked.mock.calls.length === 4));
      expect((await graphql(service, VIEWER, { token })).body.errors).toBeUndefined();
      expect(worked).toHaveBeenCalledTimes(4);
      open(new OperationError('INVALID_INPUT'));
      for (const reply of await Promise.all(calls)) expectFailure(reply, 'INVALID_INPUT');
    });

    it('allows one attempt to obtain a token in a request, not two (A9)', async () => {
      const attempt = 'obtainServiceToken(input: { apiKey: "x" }) { token }';
      const reply = await postQuery(`mutation { a: ${attempt} b: ${attempt} }`, NEW);
      expect([reply.status, codeOf(reply)]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
    });
  });
});

describe('the limit on failed token calls', () => {
  const service = setUp(() => startService({ TOKEN_FAILURES_PER_MINUTE: '3', TRUSTED_PROXIES: '127.0.0.1' }));

  const from = (address: string): { headers: Record<string, string> } => ({
    headers: { 'x-forwarded-for': address },
  });

  it('throttles failing calls of an address beyond its limit, and answers when to retry (A9)', async () => {
    const address = from('198.51.100.1');
    const bad = { apiKey: 'adi_live_0123456789abcdef_wrong' };
    for (const credentials of [bad, { refreshToken: 'wrong' }, bad]) {
      const reply = await obtain(service, credentials, address);
      expect(reply.body.errors![0]!.extensions.code).not.toBe('THROTTLED');
    }
    for (const credentials of [{ refreshToken: 'wrong' }, bad]) {
      const throttled = await obtain(service, credentials, address);
      expectFailure(throttled, 'THROTTLED');
      expect(throttled.body.errors![0]!.extensions.errorDescription).toMatch(/ in (1?\d|20) seconds/);
    }
    expectFailure(await obtain(service, bad, from('198.51.100.2')), 'AUTHENTICATION_FAILED');
  });

  it('refuses no valid key or refresh token, however many calls of its address fail (A9)', async () => {
    const { organisationId } = await service.given.organisation();
    const { key } = await issueKey(service, organisationId);
    const { refreshToken } = await obtained(service, { apiKey: key });
    const wrong = { apiKey: key.slice(0, -3) + (key.endsWith('AAA') ? 'BBB' : 'AAA') };
    const calls = Array.from(
      { length: 60 },
      (_, call) => [wrong, { apiKey: key }, { refreshToken }][call % 3],
    );
    const replies = await Promise.all(calls.map((input) => obtain(service, input, from('198.51.100.3'))));
    const codes = replies.flatMap(({ body }) => body.errors?.map(({ extensions }) => extensions.code) ?? []);
    expect(codes.filter((code) => code === 'AUTHENTICATION_FAILED')).toHaveLength(3);
    expect(codes.filter((code) => code === 'THROTTLED')).toHaveLength(17);
    expect(replies.filter(({ body }) => body.data)).toHaveLength(40);
  });

  it('counts a valid call nowhere, and a call beyond the limit does not query the limit again (A9)', async () => {
    const { organisationId } = await service.given.organisation();
    const { key } = await issueKey(service, organisationId);
    const address = from('198.51.100.9');
    const guess = async (): Promise<unknown> => {
      const { body } = await obtain(service, { apiKey: 'guess' }, address);
      return body.errors![0]!.extensions.code;
    };
    for (let calls = 0; calls < 4; calls += 1) await guess();
    const release = await service.database.lock('rate_limit');
    try {
      expect((await obtain(service, { apiKey: key }, address)).body.errors).toBeUndefined();
      expect(await guess()).toBe('THROTTLED');
    } finally {
      await release();
    }
  });

  it('counts all addresses of an IPv6 /64 network as one (A9)', async () => {
    const guess = async (address: string): Promise<unknown> => {
      const { body } = await obtain(service, { apiKey: 'guess' }, from(address));
      return body.errors![0]!.extensions.code;
    };
    for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6', '2001:DB8:1:2:ffff::']) {
      expect(await guess(address)).toBe('AUTHENTICATION_FAILED');
    }
    expect(await guess('2001:db8:1:2::4')).toBe('THROTTLED');
    expect(await guess('2001:db8:1:3::1')).toBe('AUTHENTICATION_FAILED');
  });

  it('ignores X-Forwarded-For unless the sender is a trusted proxy (A9, section 6)', async () => {
    await using trusting = inBlock(
      await startService({ TOKEN_FAILURES_PER_MINUTE: '3', TRUSTED_PROXIES: '192.0.2.1' }),
    );
    await using trustingNobody = inBlock(await startService({ TOKEN_FAILURES_PER_MINUTE: '3' }));
    for (const stranger of [trusting, trustingNobody]) {
      const codes: unknown[] = [];
      for (const address of ['198.51.100.5', '198.51.100.6', '198.51.100.7', '198.51.100.8']) {
        const { body } = await obtain(stranger, { apiKey: 'guess' }, from(address));
        codes.push(body.errors![0]!.extensions.code);
      }
      expect(codes).toEqual([...Array<string>(3).fill('AUTHENTICATION_FAILED'), 'THROTTLED']);
    }
  });

  it('does not count invalid input (A9)', async () => {
    const address = from('198.51.100.4');
    for (let calls = 0; calls < 5; calls += 1)
      expectFailure(await obtain(service, {}, address), 'INVALID_INPUT');
    expectFailure(await obtain(service, { apiKey: 'guess' }, address), 'AUTHENTICATION_FAILED');
  });
});

describe('the limit on failed token calls, when the service fails', () => {
  const service = setUp(() => startService({ TOKEN_FAILURES_PER_MINUTE: '1' }));

  it('does not count the call (A9)', async () => {
    const release = await service.database.lock('api_key');
    const reply = obtain(service, { apiKey: `adi_live_0123456789abcdef_${'x'.repeat(43)}` });
    const [waiting] = await service.database.blocked(1);
    await service.database.sql('SELECT pg_terminate_backend($1::integer)', [waiting]);
    expectFailure(await reply, 'SERVICE_UNAVAILABLE');
    await release();
    expectFailure(await obtain(service, { apiKey: 'guess' }), 'AUTHENTICATION_FAILED');
    expectFailure(await obtain(service, { apiKey: 'guess' }), 'THROTTLED');
  });

  it('does not reveal that a credential is wrong when it cannot count the call (A9, A2)', async () => {
    await service.database.sql('TRUNCATE rate_limit');
    const own = await startService({ TOKEN_FAILURES_PER_MINUTE: '1' }, { database: service.database });
    await service.database.sql('ALTER TABLE rate_limit RENAME TO hidden');
    try {
      expectFailure(await obtain(own, { apiKey: 'guess' }), 'INTERNAL_SERVER_ERROR');
    } finally {
      await service.database.sql('ALTER TABLE hidden RENAME TO rate_limit');
      await own.stop();
    }
  });
});

describe('the log', () => {
  it('contains no key, token or refresh token (A6)', async () => {
    const lines: string[] = [];
    const memory = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(chunk.toString());
        done();
      },
    });
    await using service = inBlock(await startService(NO_LIMIT, { logger: pino({ level: 'trace' }, memory) }));
    const { organisationId } = await service.given.organisation();
    const { key } = await issueKey(service, organisationId);
    const granted = await obtained(service, { apiKey: key });
    const again = await obtained(service, { refreshToken: granted.refreshToken });
    await graphql(service, VIEWER, { token: again.token });
    await service.post('notes/create/', granted.token, {});
    const wrong = `${key.slice(0, -1)}!`;
    const failing = unique('failing-token');
    await obtain(service, { apiKey: wrong }, { token: failing });
    await obtain(service, { apiKey: [wrong] });
    await graphql(service, `mutation { obtainServiceToken(input: { apiKey: "${key}" }) { nothing } }`);
    await service.database.sql('ALTER TABLE api_key RENAME TO hidden');
    expectFailure(await obtain(service, { apiKey: key }), 'INTERNAL_SERVER_ERROR');
    await service.database.sql('ALTER TABLE hidden RENAME TO api_key');
    const log = lines.join('');
    expect(log).toContain('relation');
    const secrets = [key, key.slice(-43), wrong, failing, granted.token, granted.refreshToken, again.token];
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
  });
});
