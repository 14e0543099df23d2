import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { memoryLog } from '../support/memory-log.js';
import { expectRawError, requestHead, sendRaw } from '../support/raw-http.js';
import { startService, type AccountPair } from '../support/service.js';
import { setUp } from '../support/set-up.js';
import { waitUntil } from '../support/wait-until.js';

const CREATE = '/v1/data-import/notes/create/';
const BODY_LIMIT = 10 * 1024 * 1024;
const JSON_BODY = { 'content-type': 'application/json' };

const log = memoryLog();

const service = setUp(() => startService({}, { logger: log.logger, timeouts: { closeMs: 100 } }));
let token: string;
let ref: AccountPair;

beforeAll(async () => {
  ({ token, ref } = await service.given.importedAccount());
});

describe('a connection', () => {
  it('delivers the answer to a refused request whose body is still being sent (T15)', async () => {
    const body = Buffer.alloc(2 * BODY_LIMIT, ' ');
    const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    const request = requestHead(`POST ${CREATE}`, token, ...lines);
    // With Connection: close; with another request on the same connection; without a valid token.
    expectRawError(await sendRaw(service.baseUrl, request, body), 413, 'payload_too_large');
    const staying = request.replace('Connection: close\r\n', '');
    const two = await sendRaw(service.baseUrl, staying, body, requestHead(`GET ${CREATE}`, token));
    expect(two.text.match(/HTTP\/1\.1 405/g)).toHaveLength(1);
    const unknown = request.replace(token, 'nobody');
    expectRawError(await sendRaw(service.baseUrl, unknown, body), 401, 'authentication_failed');
  });

  it.each([
    ['after CONNECT', 'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example:443\r\n\r\n'],
    ['after malformed HTTP', 'nonsense\r\n\r\n'],
  ])('is closed even when its client keeps it open: %s', async (_what, text) => {
    const { hostname, port } = new URL(service.baseUrl);
    const accepted = once(service.app.getHttpServer(), 'connection') as Promise<[Socket]>;
    const client = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    client.resume().write(text);
    const [connection] = await accepted;
    await once(connection, 'close');
    expect(client.writable).toBe(true);
    client.destroy();
  });

  it('serves a request with an unknown Expect header (T2)', async () => {
    const body = JSON.stringify({ ...ref, notes: [{ body: 'With Expect' }] });
    const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Expect: the-moon'];
    const reply = await sendRaw(service.baseUrl, requestHead(`POST ${CREATE}`, token, ...lines), body);
    expect(reply.status).toBe(201);
  });

  it('is closed with a 400 when the request does not arrive in time (T2)', async () => {
    const timeouts = { headersMs: 50, requestMs: 100, checkIntervalMs: 20 };
    const impatient = await startService({}, { timeouts });
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

  it('logs no error when the client disconnects within the request', async () => {
    // The token is cached, so that the service is already reading the body when the connection closes.
    await service.post('notes/create/', token, {});
    const body = { ...JSON_BODY, 'content-length': '1000', 'x-request-id': 'disconnected' };
    const outgoing = httpRequest(service.baseUrl + CREATE, {
      method: 'POST',
      headers: { authorization: `Token ${token}`, ...body },
    });
    outgoing.on('error', () => undefined);
    outgoing.flushHeaders();
    outgoing.write('{', () => outgoing.destroy());
    const lines = (): Record<string, unknown>[] =>
      log.lines().filter(({ request_id }) => request_id === 'disconnected');
    await waitUntil('the request is logged', () => lines().length > 0);
    expect(lines()).toEqual([expect.objectContaining({ level: 'info', msg: 'aborted by the client' })]);
  });

  it('has the documented timeouts', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout } = service.app.getHttpServer();
    expect({ headersTimeout, requestTimeout, keepAliveTimeout }).toEqual({
      headersTimeout: 30_000,
      requestTimeout: 120_000,
      keepAliveTimeout: 72_000,
    });
  });
});

describe('a service that stops', () => {
  it('answers a running request before it ends', async () => {
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
    await waitUntil('the service does not listen any more', () => !server.listening);
    await release();
    const reply = await answer;
    expect(reply.status).toBe(201);
    expect(reply.headers.get('connection')).toBe('close');
    await closing;
    await stopping.stop();
  });

  it('logs that the service, not the client, aborted a request (T3)', async () => {
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
