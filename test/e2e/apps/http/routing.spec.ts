import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { ModulesContainer } from '@nestjs/core';
import { ERRORS, type ErrorCode } from '../../../../src/infrastructure/errors/errors.js';
import { expectError, expectInvalid } from '../../../support/expect-error.js';
import { expectRawError, sendRaw } from '../../../support/raw-http.js';
import { type Reply } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { sharedService } from '../../../support/shared-service.js';
import { noteSender } from '../../../support/note-sender.js';

const CREATE = '/v1/data-import/notes/create/';
const BODY_LIMIT = 10 * 1024 * 1024;
const PLAIN = { 'content-type': 'text/plain' };
const NOBODY = { import_supplier: 'NOBODY', external_account_number: 'x' };

const service = setUp(sharedService);
const { caller, create, send } = noteSender(service);

describe('addresses', () => {
  it('answers the same with and without the trailing slash (T1)', async () => {
    const payload = { ...caller.ref, notes: [{ body: 'Same address' }] };
    for (const path of [CREATE, CREATE.slice(0, -1)])
      expect(await service.post(path, caller.token, payload)).toMatchObject({ status: 201 });
  });

  it('refuses an unknown query parameter at every address below /v1/ (T11)', async () => {
    const platform = (await service.given.platformToken()).token;
    let count = 0;
    for (const name of ['openapi.json', 'platform.json']) {
      const { paths } = JSON.parse(readFileSync(`contract/${name}`, 'utf8')) as {
        paths: Record<string, object>;
      };
      for (const [path, methods] of Object.entries(paths)) {
        const address = `${path.replaceAll(/\{\w+\}/g, 'x')}?surprise=1`;
        const token = name === 'platform.json' ? platform : caller.token;
        const reply = await ('post' in methods
          ? service.post<{ errors: object[] }>(address, token, {})
          : service.get<{ errors: object[] }>(address, token));
        expect([path, reply.status]).toEqual([path, 400]);
        expect(reply.body.errors).toContainEqual(
          expect.objectContaining({ code: 'unexpected_field', attr: 'surprise' }),
        );
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(11);
    expect(
      (await service.get('/v1/graphql/?query={viewer{__typename}}&surprise=1', caller.token)).status,
    ).toBe(400);
  });

  it.each([
    ['an unknown address', '/v1/data-import/nothing/here/'],
    ['the root', '/'],
    ['another version', '/v2/data-import/notes/create/'],
    ['another letter case', '/v1/data-import/Notes/create/'],
    ['a double slash', '/v1/data-import//notes/create/'],
    ['an address with a query', '/v1/data-import/nothing/?dry_run=true'],
    ['a broken percent-encoding', '/v1/data-import/%zz/'],
    ['a percent-encoding that is not UTF-8', '/v1/data-import/%ff%fe/'],
    ['a very long segment', `/v1/data-import/${'x'.repeat(8_000)}/`],
  ])('answers 404 for %s, with a token and without one (T4, T10)', async (_what, path) => {
    for (const headers of [{ authorization: `Token ${caller.token}` }, undefined]) {
      const reply = await service.call(path, { method: 'POST', ...(headers && { headers }) });
      expectError(reply, 404, 'not_found', []);
      expect(reply.headers.get('x-request-id')).toMatch(/./);
    }
  });

  it.each([
    ...['SUPPLIER//', '/1/', '//', '/'].map((rest) => `account-transfer-status/${rest}`),
    ...['all-account-import-processes//', 'pending-account-import-processes//?limit=1'],
    'imported-account-import-processes//',
  ])(
    'answers 404 for %s, which has an empty segment, for every method, with and without a token (T4, T10, T16)',
    async (path) => {
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        for (const headers of [{ authorization: `Token ${caller.token}` }, undefined]) {
          const reply = await service.call(path, { method, ...(headers && { headers }) });
          expect([method, reply.status]).toEqual([method, 404]);
          if (method !== 'HEAD') expectError(reply, 404, 'not_found', []);
        }
      }
    },
  );

  it('answers 404 to CONNECT, with the request id that the client sent (T2, T3, T4)', async () => {
    const request = 'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example:443\r\n';
    expectRawError(await sendRaw(service.baseUrl, `${request}\r\n`), 404, 'not_found');
    const reply = await sendRaw(service.baseUrl, `${request}X-Request-Id: tunnel-1\r\n\r\n`);
    expect(reply.headers.get('x-request-id')).toBe('tunnel-1');
  });

  it('answers 405 with the allowed methods in Allow (T4)', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await service.call('notes/create/', { method });
      expectError(reply, 405, 'method_not_allowed', []);
      expect(reply.headers.get('allow')).toBe('OPTIONS, POST');
    }
  });

  it('answers OPTIONS with 204, and HEAD like GET but without a body (T16)', async () => {
    const options = await service.call(CREATE, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow'), options.body]).toEqual([204, 'OPTIONS, POST', '']);
    expectError(await service.call('nothing/', { method: 'OPTIONS' }), 404, 'not_found');
    const reply = await service.call('notes/create/', { method: 'HEAD' });
    expect([reply.status, reply.headers.get('allow'), reply.body]).toEqual([405, 'OPTIONS, POST', '']);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});

describe('every answer', () => {
  const graphql = (query: string): Promise<Reply> =>
    service.call('/v1/graphql/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });

  it.each<[string, number, () => Promise<Pick<Reply, 'status' | 'headers'>>]>([
    ['an import', 201, () => create({ ...caller.ref, notes: [{ body: 'Nobody keeps it' }] })],
    ['a list', 200, () => service.get(`account-contents/${caller.ref.import_supplier}/`, caller.token)],
    ['OPTIONS', 204, () => service.call(CREATE, { method: 'OPTIONS' })],
    ['an error', 400, () => create({})],
    ['an unknown address', 404, () => service.call('/')],
    ['an address that cannot be decoded', 404, () => service.call('/%ff')],
    ['malformed HTTP', 400, () => sendRaw(service.baseUrl, 'nonsense\r\n\r\n')],
    ['a query', 200, () => graphql('{ __typename }')],
    ['a query that fails', 200, () => graphql('{ viewer { organisation { id } } }')],
    ['a mutation', 200, () => graphql('mutation { obtainServiceToken(input: { apiKey: "x" }) { token } }')],
    ['no GraphQL', 400, () => service.call('/v1/graphql/')],
  ])('is neither cached nor sniffed: %s (T16)', async (_what, status, call) => {
    const reply = await call();
    const { headers } = reply;
    expect([reply.status, headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
      ...[status, 'no-store', 'nosniff'],
    ]);
  });
});

describe('precedence', () => {
  const tooLarge = ' '.repeat(BODY_LIMIT + 1);
  const call = (method: string, body: string): Promise<Reply> =>
    service.call('notes/create/', { method, body });

  it.each<[string, ErrorCode, () => Promise<Reply>]>([
    ['404 before 401', 'not_found', () => service.call('nothing/', { method: 'POST', body: tooLarge })],
    ['405 before 401', 'method_not_allowed', () => call('PUT', tooLarge)],
    ['401 before 413', 'not_authenticated', () => call('POST', tooLarge)],
    ['401 before 415', 'authentication_failed', () => send({ ...PLAIN, authorization: '' }, '{')],
    ['413 before 415', 'payload_too_large', () => send(PLAIN, tooLarge)],
    [
      '413 before 415 for a malformed type',
      'payload_too_large',
      () => send({ 'content-type': 'json' }, tooLarge),
    ],
    ['415 before parsing', 'unsupported_media_type', () => send(PLAIN, '{')],
    ['parsing before the query', 'parse_error', () => service.post('notes/create/?odd=1', caller.token, '{')],
    ['the shape before the supplier', 'validation_error', () => create({ ...NOBODY, notes: [{}] })],
  ])('answers %s (T10)', async (_what, code, answer) => {
    expectError(await answer(), ERRORS[code].status, code);
  });

  it('answers 401 while the body is still being sent (T10)', async () => {
    const outgoing = httpRequest(service.baseUrl + CREATE, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': '1000' },
    });
    outgoing.write('{');
    const [response] = (await once(outgoing, 'response')) as [{ statusCode: number }];
    expect(response.statusCode).toBe(401);
    outgoing.destroy();
  });

  it('checks that the supplier is known, then that it is ongoing, then the account (T10, S2)', async () => {
    const world = await service.given.supplier({ status: 'paused' });
    const post = (importSupplier: string): Promise<Reply> =>
      service.post('notes/create/', world.token, {
        import_supplier: importSupplier,
        external_account_number: 'never staged',
        notes: [{ body: 'x' }],
      });
    expectError(await post('NOBODY'), 404, 'account_not_found', []);
    expectInvalid(await post(world.supplier), ['import_supplier_migration_not_ongoing', 'import_supplier']);
  });
});

describe('a dry run', () => {
  it.each<[ErrorCode, (path: string) => Promise<Reply>]>([
    ['not_authenticated', (path) => service.call(path, { method: 'POST' })],
    ['payload_too_large', (path) => service.post(path, caller.token, ' '.repeat(BODY_LIMIT + 1))],
    ['unsupported_media_type', (path) => send(PLAIN, '{}', path)],
    ['parse_error', (path) => service.post(path, caller.token, '{')],
    ['validation_error', (path) => service.post(path, caller.token, {})],
  ])('has X-Dry-Run on its answer when it is refused with %s (R1)', async (code, call) => {
    for (const [query, header] of [
      ['?dry_run=true', 'true'],
      ['?dry_run=1&dry_run=1', null],
      ['?dry_run=false', null],
      ['', null],
    ] as const) {
      const reply = await call(`notes/create/${query}`);
      expectError(reply, ERRORS[code].status, code);
      expect([query, reply.headers.get('x-dry-run')]).toEqual([query, header]);
    }
  });
});

describe('the modules', () => {
  it('provide each class of the service once, so that all injections get the same instance', () => {
    const modules = [...service.app.get(ModulesContainer).values()];
    const provided = modules.flatMap(({ providers }) =>
      [...providers.values()].flatMap(({ metatype, isNotMetatype }) => (isNotMetatype ? [] : [metatype])),
    );
    // Each module has a ModuleRef, and each forFeature() a TypeOrmModule.
    const repeated = ['ModuleRef', 'TypeOrmModule'];
    const own = provided.filter((one) => !repeated.includes(one?.name ?? ''));
    const twice = own.filter((one, at) => own.indexOf(one) !== at);
    expect(twice.map((one) => one?.name)).toEqual([]);
  });
});
