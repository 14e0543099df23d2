import { once } from 'node:events';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { register } from 'prom-client';
import { ERRORS, type ErrorCode } from '../../src/common/errors.js';
import { createDatabase } from '../support/database.js';
import { expectError } from '../support/expect-error.js';
import { graphql } from '../support/graphql.js';
import { memoryLog } from '../support/memory-log.js';
import { sendRaw, type RawReply } from '../support/raw-http.js';
import { startService, unique, type AccountPair, type Reply, type TestService } from '../support/service.js';
import { startProxy } from '../support/tcp-proxy.js';
import { waitUntil } from '../support/wait-until.js';

const CREATE = '/v1/data-import/notes/create/';
const BODY_LIMIT = 10 * 1024 * 1024;

interface NoteResult {
  created_at: string;
  body: string;
  status: string;
}

interface ErrorBody {
  detail: string;
  code: string;
  errors: { detail: string; code: string; attr: string }[];
}

const log = memoryLog();
let service: TestService;
let token: string;
let ref: AccountPair;

beforeAll(async () => {
  service = await startService({}, { logger: log.logger });
  ({ token, ref } = await service.given.importedAccount());
});
afterAll(async () => {
  await service.stop();
});

function create(payload: unknown, query = ''): Promise<Reply<NoteResult[]>> {
  return service.post<NoteResult[]>(`notes/create/${query}`, token, payload);
}

/** A POST whose headers are what the test says, beside the token. */
function send(headers: Record<string, string>, body?: string | Uint8Array): Promise<Reply> {
  return sendTo('notes/create/', headers, body);
}

function sendTo(path: string, headers: Record<string, string>, body?: string | Uint8Array): Promise<Reply> {
  return service.call(path, {
    method: 'POST',
    headers: { authorization: `Token ${token}`, ...headers },
    ...(body !== undefined && { body }),
  });
}

const JSON_BODY = { 'content-type': 'application/json' };

function head(method: string, path: string, ...lines: string[]): string {
  return [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Token ${token}`,
    'Connection: close',
    ...lines,
    '',
    '',
  ].join('\r\n');
}

function expectRawError(reply: RawReply, status: number, code: ErrorCode): void {
  const body = JSON.parse(reply.text) as ErrorBody;
  expect({ status: reply.status, code: body.code }).toEqual({ status, code });
  expect(Object.keys(body)).toEqual(['detail', 'code', 'errors']);
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(reply.headers.get('x-request-id')).toMatch(/^[\w.-]{1,128}$/);
}

/** A payload of an exact number of bytes, right but for its padding. */
function padded(bytes: number): string {
  const payload = JSON.stringify({ ...ref, notes: [{ body: 'A long way to the end' }] });
  return payload + ' '.repeat(bytes - Buffer.byteLength(payload));
}

describe('addresses', () => {
  it('answers the same with and without the trailing slash (T1)', async () => {
    for (const path of [CREATE, CREATE.slice(0, -1)]) {
      const reply = await service.post(path, token, { ...ref, notes: [{ body: 'Same door' }] });
      expect(reply.status).toBe(201);
    }
  });

  it.each([
    ['an unknown address', '/v1/data-import/nothing/here/'],
    ['the root', '/'],
    ['another version', '/v2/data-import/notes/create/'],
    ['another letter case', '/v1/data-import/Notes/create/'],
    ['a doubled slash', '/v1/data-import//notes/create/'],
    ['an address with a query', '/v1/data-import/nothing/?dry_run=true'],
    ['a broken percent-encoding', '/v1/data-import/%zz/'],
    ['a percent-encoding that is not UTF-8', '/v1/data-import/%ff%fe/'],
    ['a very long segment', `/v1/data-import/${'x'.repeat(8_000)}/`],
  ])('answers 404 for %s, with a token and without one (T4, T10)', async (_what, path) => {
    for (const headers of [{ authorization: `Token ${token}` }, undefined]) {
      const reply = await service.call(path, { method: 'POST', ...(headers && { headers }) });
      expectError(reply, 404, 'not_found', []);
      expect(reply.headers.get('x-request-id')).toMatch(/./);
    }
  });

  it.each([
    'account-transfer-status/SUPPLIER//',
    'account-transfer-status//1/',
    'account-transfer-status///',
    'account-transfer-status//',
    'all-account-import-processes//',
    'pending-account-import-processes//?limit=1',
    'imported-account-import-processes//',
  ])(
    'answers 404 for %s, whose segment is empty, whatever the method and with or without a token (T4, T10, T16)',
    async (path) => {
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        for (const headers of [{ authorization: `Token ${token}` }, undefined]) {
          const reply = await service.call(path, { method, ...(headers && { headers }) });
          expect([method, reply.status]).toEqual([method, 404]);
          if (method !== 'HEAD') expectError(reply, 404, 'not_found', []);
        }
      }
    },
  );

  it('answers 404 to a tunnel, under the id that its caller gave it (T2, T3, T4)', async () => {
    const head = 'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example:443\r\n';
    expectRawError(await sendRaw(service.baseUrl, `${head}\r\n`), 404, 'not_found');
    const reply = await sendRaw(service.baseUrl, `${head}X-Request-Id: tunnel-1\r\n\r\n`);
    expect(reply.headers.get('x-request-id')).toBe('tunnel-1');
  });

  it('answers 405 and names the methods that are allowed (T4)', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await service.call('notes/create/', { method });
      expectError(reply, 405, 'method_not_allowed', []);
      expect(reply.headers.get('allow')).toBe('OPTIONS, POST');
    }
  });

  it('answers OPTIONS without a body, and HEAD as GET would be, without one (T16)', async () => {
    const options = await service.call(CREATE, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow'), options.body]).toEqual([204, 'OPTIONS, POST', '']);
    expectError(await service.call('nothing/', { method: 'OPTIONS' }), 404, 'not_found');
    const reply = await service.call('notes/create/', { method: 'HEAD' });
    expect([reply.status, reply.headers.get('allow'), reply.body]).toEqual([405, 'OPTIONS, POST', '']);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});

describe('the error body', () => {
  const failures: [ErrorCode, () => Promise<Reply>][] = [
    ['not_found', () => service.call('nothing/')],
    ['method_not_allowed', () => service.call('notes/create/')],
    ['not_authenticated', () => service.call('notes/create/', { method: 'POST' })],
    ['authentication_failed', () => service.post('notes/create/', 'forged', {})],
    ['payload_too_large', () => send(JSON_BODY, ' '.repeat(BODY_LIMIT + 1))],
    ['unsupported_media_type', () => send({ 'content-type': 'text/plain' }, '{}')],
    ['parse_error', () => send(JSON_BODY, '{')],
    ['validation_error', () => send(JSON_BODY, '{}')],
    [
      'account_not_found',
      () => create({ ...ref, external_account_number: 'nobody', notes: [{ body: 'x' }] }),
    ],
  ];

  it.each(failures)('of %s is detail, code and errors, as JSON in UTF-8 (T2, T4)', async (code, call) => {
    const reply = await call();
    expectError(reply, ERRORS[code].status, code);
    expect(Object.keys(reply.body as ErrorBody)).toEqual(['detail', 'code', 'errors']);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(reply.headers.get('x-request-id')).toMatch(/./);
    expect(reply.headers.get('www-authenticate')).toBe(reply.status === 401 ? 'Token' : null);
  });

  it('lists what is wrong by its place, with exactly three members each (7.1, T7)', async () => {
    const reply = await create({ ...ref, notes: [{ body: 'fine' }, { document_paths: [{}] }] });
    expectError(reply, 400, 'validation_error', [['required', 'notes.1.document_paths.0.document_path']]);
    const [error] = (reply.body as unknown as ErrorBody).errors;
    expect(Object.keys(error!)).toEqual(['detail', 'code', 'attr']);
  });
});

describe('what is not HTTP', () => {
  it.each<[string, (string | Buffer)[]]>([
    ['nonsense', ['nonsense\r\n\r\n']],
    ['a method that does not exist', ['FETCH / HTTP/1.1\r\nHost: localhost\r\n\r\n']],
    ['HTTP/1.1 without Host', [`POST ${CREATE} HTTP/1.1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`]],
    ['a header with a control character', ['GET / HTTP/1.1\r\nHost: localhost\r\nX-A: \x01\r\n\r\n']],
    [
      'two different lengths',
      [`POST ${CREATE} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}`],
    ],
    [
      'a length and chunks at once',
      [`POST ${CREATE} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`],
    ],
    ['headers over the limit', [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`]],
    ['an address over the limit', [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`]],
  ])('%s is answered in the usual shape (T2, T3)', async (_what, parts) => {
    expectRawError(await sendRaw(service.baseUrl, ...parts), 400, 'parse_error');
  });

  it('answers chunks that are none in the usual shape (T2)', async () => {
    const headers = head('POST', CREATE, 'Content-Type: application/json', 'Transfer-Encoding: chunked');
    expectRawError(await sendRaw(service.baseUrl, headers, 'zz\r\n{}\r\n0\r\n\r\n'), 400, 'parse_error');
  });

  it('is answered behind the answer to the request in front of it (T2)', async () => {
    const body = JSON.stringify({ ...ref, notes: [{ body: unique('In front of nonsense') }] });
    const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    const request = [
      `POST ${CREATE} HTTP/1.1`,
      'Host: x',
      `Authorization: Token ${token}`,
      ...lines,
      '',
      body,
    ];
    const reply = await sendRaw(service.baseUrl, `${request.join('\r\n')}nonsense\r\n\r\nnonsense\r\n\r\n`);
    expect(reply.status).toBe(201);
    const [, behind = ''] = reply.text.split(']');
    expect(behind.split('\r\n', 1)).toEqual(['HTTP/1.1 400 Bad Request']);
    expect(behind.split('HTTP/1.1')).toHaveLength(2);
  });

  it('has no second answer when it is the rest of a request that was refused already (T2)', async () => {
    const { hostname, port } = new URL(service.baseUrl);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    const lines = [`POST ${CREATE} HTTP/1.1`, 'Host: x', 'Transfer-Encoding: chunked', '', '1', '{', ''];
    socket.write(lines.join('\r\n'));
    await waitUntil('the request is refused', () => received.endsWith('}'));
    socket.write('no length of a chunk\r\n');
    await once(socket, 'close');
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
  });

  it.each([
    ['a tunnel', 'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example:443\r\n\r\n'],
    ['nonsense', 'nonsense\r\n\r\n'],
  ])('does not keep the connection of a caller who never closes it: %s', async (_what, text) => {
    const { hostname, port } = new URL(service.baseUrl);
    const accepted = once(service.app.getHttpServer(), 'connection') as Promise<[Socket]>;
    const caller = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    caller.resume().write(text);
    const [connection] = await accepted;
    await once(connection, 'close');
    expect(caller.writable).toBe(true);
    caller.destroy();
  });

  it('serves a request whose Expect it does not know (T2)', async () => {
    const body = JSON.stringify({ ...ref, notes: [{ body: 'Great expectations' }] });
    const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Expect: the-moon'];
    const reply = await sendRaw(service.baseUrl, head('POST', CREATE, ...lines), body);
    expect(reply.status).toBe(201);
  });

  it('cuts off a client that does not finish its request, with a reason (T2)', async () => {
    const impatient = await startService(
      {},
      {
        beforeListening: (app) => {
          const shorter = { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 20 };
          Object.assign(app.getHttpServer(), shorter);
        },
      },
    );
    try {
      const slowHeaders = await sendRaw(impatient.baseUrl, `POST ${CREATE} HTTP/1.1\r\nHost: x\r\n`);
      expectRawError(slowHeaders, 400, 'parse_error');
      const slow = await impatient.given.importedAccount();
      const lines = [`POST ${CREATE} HTTP/1.1`, 'Host: x', `Authorization: Token ${slow.token}`];
      const headers = [...lines, 'Content-Type: application/json', 'Content-Length: 100', '', '{'].join(
        '\r\n',
      );
      expectRawError(await sendRaw(impatient.baseUrl, headers), 400, 'parse_error');
    } finally {
      await impatient.stop();
    }
  });

  it('does not call it a failure when a caller leaves in the middle', async () => {
    // Whoever is known already is let in at once, so that the body is being read when the connection breaks.
    await create({});
    const body = { ...JSON_BODY, 'content-length': '1000', 'x-request-id': 'left-early' };
    const outgoing = httpRequest(service.baseUrl + CREATE, {
      method: 'POST',
      headers: { authorization: `Token ${token}`, ...body },
    });
    outgoing.on('error', () => undefined);
    outgoing.flushHeaders();
    outgoing.write('{', () => outgoing.destroy());
    const lines = (): Record<string, unknown>[] =>
      log.lines().filter(({ request_id }) => request_id === 'left-early');
    await waitUntil('the request is logged', () => lines().length > 0);
    expect(lines()).toEqual([expect.objectContaining({ level: 'info', msg: 'aborted by the client' })]);
  });

  it('sets every limit of a connection', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout } = service.app.getHttpServer();
    expect({ headersTimeout, requestTimeout, keepAliveTimeout }).toEqual({
      headersTimeout: 30_000,
      requestTimeout: 120_000,
      keepAliveTimeout: 72_000,
    });
  });
});

describe('the request id', () => {
  it.each(['a', 'trace-1.2_3', 'x'.repeat(128)])('is the caller’s: %s (T3)', async (id) => {
    const reply = await send({ 'x-request-id': id, ...JSON_BODY }, '{}');
    expect(reply.headers.get('x-request-id')).toBe(id);
  });

  it.each(['', 'x'.repeat(129), 'two words', 'semi;colon', '<script>'])(
    'is made anew instead of %j (T3)',
    async (id) => {
      const reply = await send({ 'x-request-id': id, ...JSON_BODY }, '{}');
      expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('is in every log line of the request, and no secret is (T3)', async () => {
    const body = `Body that no log may hold ${'y'.repeat(20)}`;
    await send(
      { 'x-request-id': 'find-me', ...JSON_BODY },
      JSON.stringify({ ...ref, notes: [{ body, document_paths: null }] }),
    );
    const lines = log.lines().filter(({ request_id }) => request_id === 'find-me');
    expect(lines).toEqual([
      expect.objectContaining({ msg: 'answered', method: 'POST', status: 400, level: 'info' }),
    ]);
    expect(log.text()).not.toContain('Body that no log may hold');
    expect(log.text()).not.toContain(token);
  });

  it('is logged with the route, and with nothing of an address but that (T3)', async () => {
    const account = await service.given.importedAccount();
    const { import_supplier, external_account_number } = account.ref;
    const path = `account-transfer-status/${import_supplier}/${external_account_number}/`;
    const id = unique('request');
    const headers = { authorization: `Token ${account.token}`, 'x-request-id': id };
    for (const [address, status] of [
      [path, 200],
      [`${path}?secret=1`, 400],
      [`nothing/${external_account_number}/`, 404],
    ] as const) {
      expect((await service.call(address, { headers })).status).toBe(status);
    }
    const lines = (): Record<string, unknown>[] => log.lines().filter(({ request_id }) => request_id === id);
    await waitUntil('the requests are logged', () => lines().length === 3);
    const route = '/v1/data-import/account-transfer-status/:import_supplier/:external_account_number';
    expect(lines().map((line) => [line.status, line.route])).toEqual([
      [200, route],
      [400, route],
      [404, undefined],
    ]);
    for (const secret of [import_supplier, external_account_number, 'secret=1']) {
      expect(log.text()).not.toContain(secret);
    }
  });
});

describe('a request whose address the router cannot take', () => {
  const SECRET = 'account-of-somebody';

  it.each([
    ['has a broken percent-encoding', `${SECRET}%zz`],
    ['has a percent-encoding that is not UTF-8', `${SECRET}%ff`],
    ['has an account number of 2,000 characters', SECRET.padEnd(2_000, 'x')],
  ])('leaves its one line and is counted when it %s (T3)', async (_what, segment) => {
    const ownLog = memoryLog();
    const measured = await startService({ METRICS_PORT: '0' }, { logger: ownLog.logger });
    try {
      const { token: own, supplier } = await measured.given.supplier();
      const headers = { authorization: `Token ${own}`, 'x-request-id': 'unreadable' };
      const path = `account-transfer-status/${supplier}/${segment}/?secret=1`;
      const reply = await measured.call(path, { headers });
      expectError(reply, 404, 'not_found', []);
      expect(reply.headers.get('x-request-id')).toBe('unreadable');
      const lines = (): unknown[] => ownLog.lines().filter(({ request_id }) => request_id === 'unreadable');
      await waitUntil('the request is logged', () => lines().length > 0);
      const line = { level: 'info', msg: 'answered', method: 'GET', status: 404 };
      expect(lines()).toEqual([expect.objectContaining(line)]);
      for (const secret of [supplier, SECRET, 'secret=1']) expect(ownLog.text()).not.toContain(secret);
      const label = 'data_import_answers_total{route="unknown",method="GET",status="404"} 1';
      expect(await register.metrics()).toContain(label);
    } finally {
      await measured.stop();
    }
  });
});

describe('field errors', () => {
  const note = (content: unknown): unknown => ({ ...ref, notes: [content] });

  it.each<[string, () => unknown, [string, string][]]>([
    ['a list as payload', () => [], [['invalid', '']]],
    ['null as payload', () => 'null', [['null', '']]],
    ['a text as payload', () => '"text"', [['invalid', '']]],
    [
      'an empty payload',
      () => ({}),
      [
        ['required', 'import_supplier'],
        ['required', 'external_account_number'],
        ['required', 'notes'],
      ],
    ],
    ['null for a required field', () => ({ ...ref, notes: null }), [['null', 'notes']]],
    [
      'null for an optional field (T9)',
      () => note({ body: 'x', is_pinned: null }),
      [['null', 'notes.0.is_pinned']],
    ],
    [
      'an empty identifier',
      () => ({ ...ref, import_supplier: '', notes: [{ body: 'x' }] }),
      [['blank', 'import_supplier']],
    ],
    ['a number as text', () => note({ body: 5 }), [['invalid', 'notes.0.body']]],
    ['a text as boolean', () => note({ body: 'x', is_pinned: 'true' }), [['invalid', 'notes.0.is_pinned']]],
    ['an object as list', () => ({ ...ref, notes: {} }), [['invalid', 'notes']]],
    ['an empty list', () => ({ ...ref, notes: [] }), [['min_length', 'notes']]],
    [
      'lists instead of notes',
      () => ({ ...ref, notes: [[], [[]]] }),
      [
        ['invalid', 'notes.0'],
        ['invalid', 'notes.1'],
      ],
    ],
    ['null instead of a note', () => note(null), [['null', 'notes.0']]],
    [
      'an unknown field',
      () => ({ ...ref, note: 'x', notes: [{ body: 'x', Body: 'y' }] }),
      [
        ['unexpected_field', 'notes.0.Body'],
        ['unexpected_field', 'note'],
      ],
    ],
    [
      'a day instead of a datetime',
      () => note({ body: 'x', created_at: '2024-02-28' }),
      [['invalid', 'notes.0.created_at']],
    ],
    [
      '30 February (T12)',
      () => note({ body: 'x', created_at: '2024-02-30T00:00:00Z' }),
      [['invalid', 'notes.0.created_at']],
    ],
    [
      'a number that no double holds (T13)',
      () => `{"notes":[{"body":1e400,"is_pinned":12345678901234567}],${JSON.stringify(ref).slice(1)}`,
      [
        ['invalid', 'notes.0.body'],
        ['invalid', 'notes.0.is_pinned'],
      ],
    ],
    ['a NUL character (T14)', () => note({ body: 'a\0b' }), [['invalid', 'notes.0.body']]],
    ['a lone surrogate (T14)', () => note({ body: 'a\ud800' }), [['invalid', 'notes.0.body']]],
  ])('%s (T5, T7)', async (_what, payload, errors) => {
    expectError(await create(payload()), 400, 'validation_error', errors);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString'])(
    'a key named %s is a field like any other that is not documented (T8)',
    async (name) => {
      const inNote = `{"body":"x","${name}":{"polluted":true}}`;
      const payload = `{${JSON.stringify(ref).slice(1, -1)},"notes":[${inNote}],"${name}":1}`;
      expectError(await create(payload), 400, 'validation_error', [
        ['unexpected_field', `notes.0.${name}`],
        ['unexpected_field', name],
      ]);
      expectError(await create({ ...ref, notes: [{ body: 'x' }] }, `?${name}=1`), 400, 'validation_error', [
        ['unexpected_field', name],
      ]);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    },
  );

  it('counts of a key that stands twice the last one (T13)', async () => {
    const payload = `{${JSON.stringify(ref).slice(1, -1)},"notes":7,"notes":[{"body":"first","body":"last"}]}`;
    expect((await create(payload)).body).toEqual([expect.objectContaining({ body: 'last' })]);
  });

  it('lists query parameters first, then the body in the order of its items (T6)', async () => {
    const payload = { ...ref, notes: [{ body: 1 }, { body: 'x' }, { is_pinned: 'no', odd: 1 }] };
    expectError(await create(payload, '?dry_run=maybe&verbose=1'), 400, 'validation_error', [
      ['invalid', 'dry_run'],
      ['unexpected_field', 'verbose'],
      ['invalid', 'notes.0.body'],
      ['invalid', 'notes.2.is_pinned'],
      ['unexpected_field', 'notes.2.odd'],
      ['note_body_or_document_path_not_found', 'notes.2'],
    ]);
  });

  it.each([
    [1_000, 1_000, 'invalid'],
    [1_001, 1_001, 'too_many_errors'],
    [5_000, 1_001, 'too_many_errors'],
  ])('lists of %i errors %i, the last one %s (T6)', async (wrong, listed, last) => {
    const notes = Array.from({ length: wrong }, () => ({ body: 1 }));
    const { errors } = (await create({ ...ref, notes })).body as unknown as ErrorBody;
    expect(errors).toHaveLength(listed);
    expect(errors.at(-2)).toMatchObject({ code: 'invalid', attr: `notes.${listed - 2}.body` });
    expect(errors.at(-1)).toMatchObject({ code: last, attr: last === 'invalid' ? 'notes.999.body' : '' });
  });

  it.each([
    ['true', 201],
    ['TRUE', 201],
    ['1', 201],
    ['false', 201],
    ['False', 201],
    ['0', 201],
    ['', 400],
    ['yes', 400],
    ['2', 400],
    ['true&dry_run=false', 400],
  ])('reads dry_run=%s as a boolean: %i (T11)', async (text, status) => {
    const reply = await create({ ...ref, notes: [{ body: 'To be or not' }] }, `?dry_run=${text}`);
    expect(reply.status).toBe(status);
    if (status === 400) expectError(reply, 400, 'validation_error', [['invalid', 'dry_run']]);
  });

  it.each([
    ['2024-02-29T08:30:00Z', '2024-02-29T08:30:00Z'],
    ['2024-02-29T08:30:00.987654Z', '2024-02-29T08:30:00Z'],
    ['2024-02-29T00:30:00+02:00', '2024-02-28T22:30:00Z'],
    ['2023-12-31T23:59:59-00:30', '2024-01-01T00:29:59Z'],
  ])('reads the datetime %s as %s (T12)', async (sent, kept) => {
    const reply = await create({ ...ref, notes: [{ body: `At ${sent}`, created_at: sent }] });
    expect(reply.body[0]?.created_at).toBe(kept);
  });

  it('counts lengths in code points, of paths in bytes (T14)', async () => {
    const bodies: [unknown, [string, string][]][] = [
      [{ body: '😀'.repeat(50_000) }, []],
      [{ body: '😀'.repeat(50_001) }, [['max_length', 'notes.0.body']]],
      [{ document_paths: [{ document_path: 'é'.repeat(512) }] }, []],
      [
        { document_paths: [{ document_path: `${'é'.repeat(512)}x` }] },
        [['invalid_document_path', 'notes.0.document_paths.0.document_path']],
      ],
    ];
    for (const [content, errors] of bodies) {
      const reply = await create({ ...ref, notes: [content] });
      if (errors.length === 0) expect(reply.status).toBe(201);
      else expectError(reply, 400, 'validation_error', errors);
    }
    const named = (length: number): unknown => ({
      import_supplier: '😀'.repeat(length),
      external_account_number: 'x',
      notes: [{ body: 'x' }],
    });
    expectError(await create(named(128)), 404, 'account_not_found');
    expectError(await create(named(129)), 400, 'validation_error', [['max_length', 'import_supplier']]);
  });

  it('keeps text that looks like a number as it came (T13)', async () => {
    const body = '4111111111111111 1e400 12345678901234567890 "\\"';
    expect((await create({ ...ref, notes: [{ body }] })).body[0]?.body).toBe(body);
  });
});

describe('the body', () => {
  it('may have 10 MiB and not a byte more, announced or in chunks (T15)', async () => {
    expect((await send(JSON_BODY, padded(BODY_LIMIT))).status).toBe(201);
    expectError(await send(JSON_BODY, padded(BODY_LIMIT + 1)), 413, 'payload_too_large', []);
    const headers = head('POST', CREATE, 'Content-Type: application/json', 'Transfer-Encoding: chunked');
    const chunk = Buffer.from(`100000\r\n${' '.repeat(0x100000)}\r\n`);
    const chunks = Array.from({ length: 11 }, () => chunk);
    expectRawError(await sendRaw(service.baseUrl, headers, ...chunks, '0\r\n\r\n'), 413, 'payload_too_large');
  });

  it('is read to its end when it is refused, so that the answer arrives (T15)', async () => {
    const body = Buffer.alloc(2 * BODY_LIMIT, ' ');
    const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    const request = head('POST', CREATE, ...lines);
    // Who asks for the end of the connection; who sends the next request behind it; who does not even have a token.
    expectRawError(await sendRaw(service.baseUrl, request, body), 413, 'payload_too_large');
    const staying = request.replace('Connection: close\r\n', '');
    const two = await sendRaw(service.baseUrl, staying, body, head('GET', CREATE));
    expect(two.text.match(/HTTP\/1\.1 405/g)).toHaveLength(1);
    const unknown = request.replace(token, 'nobody');
    expectRawError(await sendRaw(service.baseUrl, unknown, body), 401, 'authentication_failed');
  });

  it('may hold 5,000 items and not one more (T15)', async () => {
    const notes = (length: number): unknown =>
      Array.from({ length }, (_none, index) => ({ body: `Note ${index}` }));
    const whole = await create({ ...ref, notes: notes(5_000) });
    expect([whole.status, whole.body.length]).toEqual([201, 5_000]);
    expectError(await create({ ...ref, notes: notes(5_001) }), 400, 'validation_error', [
      ['max_length', 'notes'],
    ]);
  });

  it('has limits that an operator can change (T15)', async () => {
    const small = await startService({ BODY_LIMIT_BYTES: '1024', ITEMS_MAX: '2' });
    try {
      const account = await small.given.importedAccount();
      const load = (notes: unknown): Promise<Reply> =>
        small.post('notes/create/', account.token, { ...account.ref, notes });
      expect((await load([{ body: '1' }, { body: '2' }])).status).toBe(201);
      expectError(await load([{}, {}, {}]), 400, 'validation_error', [['max_length', 'notes']]);
      expectError(await load([{ body: 'x'.repeat(1_024) }]), 413, 'payload_too_large');
      expect((await graphql(small, `{ __typename } #${'x'.repeat(1_024)}`)).status).toBe(413);
    } finally {
      await small.stop();
    }
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON ; Charset="utf-8"',
    'application/json;',
  ])('is read as %s (T15)', async (type) => {
    const payload = JSON.stringify({ ...ref, notes: [{ body: 'Grüße' }] });
    expect((await send({ 'content-type': type }, payload)).status).toBe(201);
  });

  it.each([
    'text/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json; version=2',
    'application/jsonx',
    'application/vnd.api+json',
    'nonsense',
    '; charset=utf-8',
  ])('is refused as %s (T15)', async (type) => {
    expectError(await send({ 'content-type': type }, '{}'), 415, 'unsupported_media_type', []);
  });

  it('is refused without a content type (T15)', async () => {
    expectError(await send({}, Buffer.from('{}')), 415, 'unsupported_media_type', []);
  });

  it.each(['gzip', 'br', 'deflate', 'zstd'])(
    'is refused when it is compressed: %s (T15)',
    async (encoding) => {
      const payload = gzipSync(JSON.stringify({ ...ref, notes: [{ body: 'Packed' }] }));
      expectError(
        await send({ ...JSON_BODY, 'content-encoding': encoding }, payload),
        415,
        'unsupported_media_type',
      );
    },
  );

  it.each<[string, Record<string, string>, string | Uint8Array | undefined]>([
    ['nothing at all', {}, undefined],
    ['an empty body', JSON_BODY, ''],
    ['blanks', JSON_BODY, ' \n'],
    ['half a document', JSON_BODY, '{"notes": ['],
    ['two documents', JSON_BODY, '{}{}'],
    ['single quotes', JSON_BODY, "{'a': 1}"],
    ['NaN', JSON_BODY, '{"a": NaN}'],
    ['a trailing comma', JSON_BODY, '{"a": 1,}'],
    ['a leading zero', JSON_BODY, '{"a": 01}'],
    ['bytes that are not UTF-8', JSON_BODY, Buffer.from([0x22, 0xff, 0x22])],
    ['an overlong UTF-8 sequence', JSON_BODY, Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['a surrogate in UTF-8', JSON_BODY, Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['UTF-16', JSON_BODY, Buffer.from('\ufeff{}', 'utf16le')],
    ['a hundred thousand brackets', JSON_BODY, '['.repeat(100_000) + ']'.repeat(100_000)],
  ])('that is %s is a parse error (T4)', async (_what, headers, body) => {
    expectError(await send(headers, body), 400, 'parse_error', []);
  });

  it('may begin with a byte order mark (T4)', async () => {
    const payload = `\ufeff${JSON.stringify({ ...ref, notes: [{ body: 'Marked' }] })}`;
    expect((await send(JSON_BODY, payload)).status).toBe(201);
  });
});

describe('precedence', () => {
  const tooLarge = ' '.repeat(BODY_LIMIT + 1);
  const withoutToken = { authorization: '' };

  it.each<[string, number, ErrorCode, () => Promise<Reply>]>([
    ['404 before 401', 404, 'not_found', () => service.call('nothing/', { method: 'POST', body: tooLarge })],
    [
      '405 before 401',
      405,
      'method_not_allowed',
      () => service.call('notes/create/', { method: 'PUT', body: tooLarge }),
    ],
    [
      '401 before 413',
      401,
      'not_authenticated',
      () => service.call('notes/create/', { method: 'POST', body: tooLarge }),
    ],
    [
      '401 before 415',
      401,
      'authentication_failed',
      () => send({ ...withoutToken, 'content-type': 'text/plain' }, '{'),
    ],
    ['413 before 415', 413, 'payload_too_large', () => send({ 'content-type': 'text/plain' }, tooLarge)],
    [
      '413 before 415 of a type that is none',
      413,
      'payload_too_large',
      () => send({ 'content-type': 'json' }, tooLarge),
    ],
    ['415 before parsing', 415, 'unsupported_media_type', () => send({ 'content-type': 'text/plain' }, '{')],
    ['parsing before the query', 400, 'parse_error', () => service.post('notes/create/?odd=1', token, '{')],
    [
      'the shape before the supplier',
      400,
      'validation_error',
      () => create({ import_supplier: 'NOBODY', external_account_number: 'x', notes: [{}] }),
    ],
  ])('%s (T10)', async (_what, status, code, call) => {
    expectError(await call(), status, code);
  });

  it('answers 401 while the body is still on its way (T10)', async () => {
    const outgoing = httpRequest(service.baseUrl + CREATE, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': '1000' },
    });
    outgoing.write('{');
    const [response] = (await once(outgoing, 'response')) as [{ statusCode: number }];
    expect(response.statusCode).toBe(401);
    outgoing.destroy();
  });

  it('goes from an unknown supplier over one that is not ongoing to the account (T10, S2)', async () => {
    const world = await service.given.supplier({ status: 'paused' });
    const load = (importSupplier: string): Promise<Reply> =>
      service.post('notes/create/', world.token, {
        import_supplier: importSupplier,
        external_account_number: 'never staged',
        notes: [{ body: 'x' }],
      });
    expectError(await load('NOBODY'), 404, 'account_not_found', []);
    expectError(await load(world.supplier), 400, 'validation_error', [
      ['import_supplier_migration_not_ongoing', 'import_supplier'],
    ]);
  });
});

describe('a dry run', () => {
  it.each<[ErrorCode, (path: string) => Promise<Reply>]>([
    ['not_authenticated', (path) => service.call(path, { method: 'POST' })],
    ['payload_too_large', (path) => service.post(path, token, ' '.repeat(BODY_LIMIT + 1))],
    ['unsupported_media_type', (path) => sendTo(path, { 'content-type': 'text/plain' }, '{}')],
    ['parse_error', (path) => service.post(path, token, '{')],
    ['validation_error', (path) => service.post(path, token, {})],
  ])('is told from a real request when it is refused with %s (R1)', async (code, call) => {
    for (const [query, mark] of [
      ['?dry_run=true', 'true'],
      ['?dry_run=1&dry_run=1', null],
      ['?dry_run=false', null],
      ['', null],
    ] as const) {
      const reply = await call(`notes/create/${query}`);
      expectError(reply, ERRORS[code].status, code);
      expect([query, reply.headers.get('x-dry-run')]).toEqual([query, mark]);
    }
  });
});

describe('compression', () => {
  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ])('packs an answer as %s on request only (T16)', async (encoding, unpack) => {
    const notes = Array.from({ length: 200 }, (_none, index) => ({ body: `Packed ${index}` }));
    const ask = async (accept: string): Promise<{ encoding: string | undefined; body: Buffer }> => {
      const outgoing = httpRequest(service.baseUrl + CREATE, {
        method: 'POST',
        headers: { authorization: `Token ${token}`, ...JSON_BODY, 'accept-encoding': accept },
      });
      outgoing.end(JSON.stringify({ ...ref, notes }));
      const [response] = (await once(outgoing, 'response')) as [
        AsyncIterable<Buffer> & { headers: Record<string, string> },
      ];
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      return { encoding: response.headers['content-encoding'], body: Buffer.concat(chunks) };
    };
    const packed = await ask(encoding);
    expect(packed.encoding).toBe(encoding);
    expect(JSON.parse(unpack(packed.body).toString())).toHaveLength(200);
    for (const accept of ['identity', 'unknown', '']) {
      const plain = await ask(accept);
      expect(plain.encoding).toBeUndefined();
      expect(JSON.parse(plain.body.toString())).toHaveLength(200);
    }
  });
});

describe('trouble behind the service', () => {
  it('answers 503 while the database is out of reach, and works again afterwards (T4)', async () => {
    const proxy = await startProxy(process.env.TEST_DATABASE_URL!);
    const cutOff = await startService({}, { throughProxy: proxy.through });
    try {
      const account = await cutOff.given.importedAccount();
      const load = (body: string): Promise<Reply> =>
        cutOff.post('notes/create/', account.token, { ...account.ref, notes: [{ body }] });
      expect((await load('Before')).status).toBe(201);
      await proxy.cut();
      const reply = await load('Meanwhile');
      expectError(reply, 503, 'service_unavailable', []);
      expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      await proxy.restore();
      expect((await load('Afterwards')).status).toBe(201);
    } finally {
      await cutOff.stop();
      await proxy.cut();
    }
  });

  it('answers 503 to a request whose connection is lost under way (T4)', async () => {
    const account = await service.given.importedAccount();
    const release = await service.database.lock('note');
    const answer = service.post('notes/create/', account.token, {
      ...account.ref,
      notes: [{ body: 'Lost' }],
    });
    const [waiting] = await service.database.blocked(1);
    await service.database.sql('SELECT pg_terminate_backend($1)', [waiting]);
    expectError(await answer, 503, 'service_unavailable');
    await release();
  });

  it.each([
    ['request', ''],
    ['dry run', '?dry_run=true'],
  ])('answers 503 to a %s whose connection breaks without a word (T4, R1)', async (_what, query) => {
    const proxy = await startProxy(process.env.TEST_DATABASE_URL!);
    const cutOff = await startService({}, { throughProxy: proxy.through });
    try {
      const account = await cutOff.given.importedAccount();
      const load = (): Promise<Reply> =>
        cutOff.post(`notes/create/${query}`, account.token, { ...account.ref, notes: [{ body: 'Cut' }] });
      const release = await cutOff.database.lock('note');
      const answer = load();
      await cutOff.database.blocked(1);
      await proxy.cut();
      expectError(await answer, 503, 'service_unavailable', []);
      await release();
      await proxy.restore();
      expect((await load()).status).toBe(201);
    } finally {
      await cutOff.stop();
      await proxy.cut();
    }
  });

  it.each([
    ['request', 'prepared', ''],
    ['request', 'plain', ''],
    ['dry run', 'prepared', '?dry_run=true'],
    ['dry run', 'plain', '?dry_run=true'],
  ])(
    'answers 503 to a %s whose connection goes silent, and never uses it again, with %s statements (T4, R1)',
    async (_what, statements, query) => {
      const proxy = await startProxy(process.env.TEST_DATABASE_URL!);
      const setting = { DATABASE_STATEMENT_TIMEOUT_MS: '1000', DATABASE_STATEMENTS: statements };
      const cutOff = await startService(setting, { throughProxy: proxy.through });
      try {
        const world = await cutOff.given.importedAccount();
        const other = await cutOff.given.importedAccount({ world });
        const load = ({ ref: whose }: { ref: AccountPair }): Promise<Reply> =>
          cutOff.post(`notes/create/${query}`, world.token, { ...whose, notes: [{ body: 'Hush' }] });
        const release = await cutOff.database.lock('note');
        const answer = load(world);
        await cutOff.database.blocked(1);
        const silent = proxy.silence();
        await release();
        const reply = await answer;
        expectError(reply, 503, 'service_unavailable', []);
        expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
        // Each of those that wait in the pool has to be found out. The account may be locked: nobody undoes the dry run.
        let later = await load(other);
        for (let tries = 1; tries < silent && later.status === 503; tries += 1) later = await load(other);
        expect(later.status).toBe(201);
      } finally {
        await proxy.cut();
        await cutOff.stop();
      }
    },
  );

  it.each<[string, { setting: Record<string, string>; ofDatabase?: string }]>([
    ['the service', { setting: { DATABASE_STATEMENT_TIMEOUT_MS: '1000' } }],
    ['the database', { setting: {}, ofDatabase: `lock_timeout = '100ms'` }],
  ])(
    'answers 503 to a request that waits longer for a lock than %s allows, and has stored nothing of it (T4)',
    async (_whose, { setting, ofDatabase }) => {
      const database = await createDatabase();
      const name = new URL(database.url).pathname.slice(1);
      if (ofDatabase !== undefined) await database.sql(`ALTER DATABASE ${name} SET ${ofDatabase}`);
      const impatient = await startService(setting, { database });
      try {
        const account = await impatient.given.importedAccount();
        const load = (): Promise<Reply> =>
          impatient.post('notes/create/', account.token, { ...account.ref, notes: [{ body: 'Late' }] });
        const release = await database.lock('note');
        const reply = await load();
        expectError(reply, 503, 'service_unavailable', []);
        expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
        await release();
        expect(await database.sql('SELECT FROM import_request')).toEqual([]);
        expect((await load()).body).toMatchObject([{ status: 'NOTE_CREATION_SUCCESS' }]);
      } finally {
        await impatient.stop();
        await database.drop();
      }
    },
  );

  it.each([
    ['a table that is gone', 'DROP TABLE note', '42P01'],
    [
      'a row that the database refuses with all it holds',
      `ALTER TABLE note ADD CHECK (body <> 'Private words')`,
      '23514',
    ],
  ])(
    'answers a fixed 500 to %s, and logs the cause without the request’s data (T2, T4)',
    async (_what, spoil, state) => {
      const ownLog = memoryLog();
      const broken = await startService({}, { logger: ownLog.logger });
      try {
        const account = await broken.given.importedAccount();
        await broken.database.sql(spoil);
        const reply = await broken.call('notes/create/', {
          method: 'POST',
          headers: { authorization: `Token ${account.token}`, ...JSON_BODY, 'x-request-id': 'broken-1' },
          body: JSON.stringify({ ...account.ref, notes: [{ body: 'Private words' }] }),
        });
        expect([reply.status, reply.body]).toEqual([
          500,
          { detail: ERRORS.error.detail, code: 'error', errors: [] },
        ]);
        const [line] = ownLog.lines().filter(({ level }) => level === 'error');
        expect(line).toMatchObject({ request_id: 'broken-1', msg: 'error', err: { code: state } });
        expect((line!.err as { stack: string }).stack).toContain('notes.repository');
        expect(ownLog.text()).not.toContain('Private words');
      } finally {
        await broken.stop();
      }
    },
  );
});

describe('stopping', () => {
  it('answers a request that is under way, then ends', async () => {
    const stopping = await startService();
    const account = await stopping.given.importedAccount();
    const release = await stopping.database.lock('note');
    const answer = stopping.post('notes/create/', account.token, {
      ...account.ref,
      notes: [{ body: 'Just in time' }],
    });
    await stopping.database.blocked(1);
    const closing = stopping.app.close();
    const server = stopping.app.getHttpServer();
    await waitUntil('the service listens no more', () => !server.listening);
    await release();
    const reply = await answer;
    expect(reply.status).toBe(201);
    expect(reply.headers.get('connection')).toBe('close');
    await closing;
    await stopping.stop();
  });

  it('tells in the log that a request was cut off by the service, not by its caller (T3)', async () => {
    const ownLog = memoryLog();
    const stopping = await startService({}, { logger: ownLog.logger });
    const account = await stopping.given.importedAccount();
    const release = await stopping.database.lock('note');
    const answer = stopping.call('notes/create/', {
      method: 'POST',
      headers: { authorization: `Token ${account.token}`, ...JSON_BODY, 'x-request-id': 'cut-off' },
      body: JSON.stringify({ ...account.ref, notes: [{ body: 'Too late' }] }),
    });
    answer.catch(() => undefined);
    await stopping.database.blocked(1);
    const closing = stopping.app.close();
    stopping.app.getHttpServer().closeAllConnections();
    await expect(answer).rejects.toThrow('fetch failed');
    await release();
    await closing;
    const lines = ownLog.lines().filter(({ request_id }) => request_id === 'cut-off');
    expect(lines).toMatchObject([{ level: 'info', msg: 'aborted by the service' }]);
    await stopping.stop();
  });
});
