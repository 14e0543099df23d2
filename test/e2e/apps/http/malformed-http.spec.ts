import { once } from 'node:events';
import { connect } from 'node:net';
import type { GraphqlBody } from '../../../support/graphql.js';
import { expectRawError, requestHead, sendRaw } from '../../../support/raw-http.js';
import { startService, unique, type AccountPair } from '../../../support/service.js';
import { inBlock, setUp } from '../../../support/set-up.js';
import { sharedService } from '../../../support/shared-service.js';
import { waitUntil } from '../../../support/wait-until.js';

const CREATE = '/v1/data-import/notes/create/';

const service = setUp(sharedService);
let token: string;
let ref: AccountPair;
let supplier: string;

beforeAll(async () => {
  ({ token, ref, supplier } = await service.given.importedAccount());
});

describe('malformed HTTP', () => {
  const post = (...headers: string[]): string => [`POST ${CREATE} HTTP/1.1`, ...headers, '', ''].join('\r\n');

  it.each<[string, string]>([
    ['text that is not HTTP', 'nonsense\r\n\r\n'],
    ['a method that does not exist', 'FETCH / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['HTTP/1.1 without Host', post('Connection: close', 'Content-Length: 0')],
    ['a header with a control character', post('Host: localhost', 'X-A: \x01')],
    ['two different lengths', `${post('Host: x', 'Content-Length: 1', 'Content-Length: 2')}{}`],
    [
      'a length and chunks at once',
      `${post('Host: x', 'Content-Length: 2', 'Transfer-Encoding: chunked')}{}`,
    ],
    ['two hosts', post('Host: x', 'Host: x', 'Connection: close')],
    ['two tokens', post('Host: x', 'Authorization: a', 'authorization: b', 'Connection: close')],
    ...['gzip', 'gzip, chunked', 'chunked, gzip', 'identity', 'Chunked', ''].map(
      (coding): [string, string] => [
        `the transfer coding "${coding}"`,
        `${requestHead(`POST ${CREATE}`, '', `Transfer-Encoding: ${coding}`)}0\r\n\r\n`,
      ],
    ),
    [
      'chunks in HTTP/1.0',
      `POST ${CREATE} HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['headers over the limit', post('Host: x', `X-Long: ${'x'.repeat(20_000)}`)],
    ['an address over the limit', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ])('is answered with the usual error body: %s (T2, T3)', async (_what, request) => {
    expectRawError(await sendRaw(service.baseUrl, request), 400, 'parse_error');
  });

  it('in a chunked body is answered with the usual error body (T2)', async () => {
    const chunks = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
    const headers = requestHead(`POST ${CREATE}`, token, ...chunks);
    expectRawError(await sendRaw(service.baseUrl, headers, 'zz\r\n{}\r\n0\r\n\r\n'), 400, 'parse_error');
  });

  it('is answered after the request before it has been answered (T2)', async () => {
    const body = JSON.stringify({ ...ref, notes: [{ body: unique('Before malformed HTTP') }] });
    const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    const request = post('Host: x', `Authorization: Token ${token}`, ...lines) + body;
    const reply = await sendRaw(service.baseUrl, `${request}nonsense\r\n\r\nnonsense\r\n\r\n`);
    expect(reply.status).toBe(201);
    const [, after = ''] = reply.text.split(']');
    expect(after.split('\r\n', 1)).toEqual(['HTTP/1.1 400 Bad Request']);
    expect(after.split('HTTP/1.1')).toHaveLength(2);
  });

  it('gets no separate answer when it is the rest of a refused request (T2)', async () => {
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
});

describe('the Host header', () => {
  const GRAPHQL = '/v1/graphql/?query=%7B__typename%7D';
  const LIST = '/v1/data-import/all-account-import-processes/';
  const get = (path: string, version: string, ...headers: string[]): string =>
    [`GET ${path} ${version}`, 'Connection: close', ...headers, '', ''].join('\r\n');

  it.each([
    ...['[', ']', '[::1', 'a b', 'user@host', 'a/b', 'a?b', 'a#b', 'a:b', '::1', 'h\u00f6st', '"', 'a\\b'],
  ])('is refused by every route when it is %j (T2, T4)', async (host) => {
    for (const path of ['/', CREATE, LIST, '/nowhere/']) {
      const reply = await sendRaw(service.baseUrl, get(path, 'HTTP/1.1', `Host: ${host}`));
      expectRawError(reply, 400, 'parse_error');
    }
    const reply = await sendRaw(service.baseUrl, get(GRAPHQL, 'HTTP/1.1', `Host: ${host}`));
    const { errors } = JSON.parse(reply.text) as GraphqlBody;
    expect([reply.status, errors?.[0]?.extensions.code]).toEqual([400, 'PARSE_ERROR']);
  });

  it.each([
    ['a name', 'HTTP/1.1', ['Host: import.example.com']],
    ['a name with an underscore and a port', 'HTTP/1.1', ['Host: data_import:3000']],
    ['an IPv4 address', 'HTTP/1.1', ['Host: 127.0.0.1:3000']],
    ['an IPv6 address', 'HTTP/1.1', ['Host: [::1]:3000']],
    ['empty', 'HTTP/1.1', ['Host:']],
    ['absent, in HTTP/1.0', 'HTTP/1.0', []],
    ['what no URL accepts', 'HTTP/1.1', ['Host: 256.256.256.256']],
  ])('is accepted when it is %s (T2)', async (_what, version, headers) => {
    const list = `${LIST}${supplier}/`;
    const rest = await sendRaw(service.baseUrl, get(list, version, `Authorization: ${token}`, ...headers));
    const graphql = await sendRaw(service.baseUrl, get(GRAPHQL, version, ...headers));
    expect([rest.status, graphql.status]).toEqual([200, 200]);
    expect(JSON.parse(graphql.text)).toEqual({ data: { __typename: 'Query' } });
  });

  it('of a trusted proxy does not matter, even an invalid X-Forwarded-Host (T2)', async () => {
    await using behindProxy = inBlock(await startService({ TRUSTED_PROXIES: '127.0.0.1' }));
    const forwarded = ['X-Forwarded-Host: [', 'X-Forwarded-Proto: :'];
    const reply = await sendRaw(behindProxy.baseUrl, get(GRAPHQL, 'HTTP/1.1', 'Host: x', ...forwarded));
    expect(reply.status).toBe(200);
  });
});
