import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { memoryLog } from '../../../support/memory-log.js';
import { expectRawError, requestHead, sendRaw } from '../../../support/raw-http.js';
import { metricValues } from '../../../support/metrics.js';
import { startService, type World } from '../../../support/service.js';
import { inBlock, setUp } from '../../../support/set-up.js';
import { elapse, waitUntil } from '../../../support/wait-until.js';

const CREATE = '/v1/data-import/notes/create/';
const BODY_LIMIT = 10 * 1024 * 1024;
const JSON_BODY = { 'content-type': 'application/json' };

const log = memoryLog();

const service = setUp(() => startService({}, { logger: log.logger, timeouts: { closeMs: 100 } }));
const caller = setUp(() => service.given.importedAccount());

describe('a connection', () => {
  it('delivers the answer to a refused request whose body is still being sent (T15)', async () => {
    const body = Buffer.alloc(2 * BODY_LIMIT, ' ');
    const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    const request = requestHead(`POST ${CREATE}`, caller.token, ...lines);
    // Cases: with Connection: close, with another request on the same connection, without a valid token.
    expectRawError(await sendRaw(service.baseUrl, request, body), 413, 'payload_too_large');
    const staying = request.replace('Connection: close\r\n', '');
    const two = await sendRaw(service.baseUrl, staying, body, requestHead(`GET ${CREATE}`, caller.token));
    expect(two.text.match(/HTTP\/1\.1 405/g)).toHaveLength(1);
    const unknown = request.replace(caller.token, 'nobody');
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
    const body = JSON.stringify({ ...caller.ref, notes: [{ body: 'With Expect' }] });
    const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Expect: the-moon'];
    const reply = await sendRaw(service.baseUrl, requestHead(`POST ${CREATE}`, caller.token, ...lines), body);
    expect(reply.status).toBe(201);
  });

  it('is closed with a 400 when the request does not arrive in time (T2)', async () => {
    const timeouts = { headersMs: 50, requestMs: 100, checkIntervalMs: 20 };
    await using impatient = inBlock(await startService({}, { timeouts }));
    const slowHeaders = await sendRaw(impatient.baseUrl, `POST ${CREATE} HTTP/1.1\r\nHost: x\r\n`);
    expectRawError(slowHeaders, 400, 'parse_error');
    const slow = await impatient.given.importedAccount();
    const lines = [`POST ${CREATE} HTTP/1.1`, 'Host: x', `Authorization: Token ${slow.token}`];
    const headers = [...lines, 'Content-Type: application/json', 'Content-Length: 100', '', '{'].join('\r\n');
    expectRawError(await sendRaw(impatient.baseUrl, headers), 400, 'parse_error');
  });

  it('logs no error when the client disconnects within the request', async () => {
    // The token is cached, so that the service is already reading the body when the connection closes.
    await service.post('notes/create/', caller.token, {});
    const body = { ...JSON_BODY, 'content-length': '1000', 'x-request-id': 'disconnected' };
    const outgoing = httpRequest(service.baseUrl + CREATE, {
      method: 'POST',
      headers: { authorization: `Token ${caller.token}`, ...body },
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
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = service.app.getHttpServer();
    expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout }).toEqual({
      headersTimeout: 30_000,
      requestTimeout: 120_000,
      keepAliveTimeout: 72_000,
      timeout: 120_000,
    });
  });
});

describe('an answer', () => {
  /** Divides the timeouts of the service, and multiplies the client's reading speed. */
  const TIMES = 60;
  const IDLE_MS = 120_000 / TIMES;
  const PIECE_MS = 100;
  const PIECE_BYTES = (50_000 * TIMES * PIECE_MS) / 1_000;
  /** For a list of 12 MB: more than the socket buffers of both sides hold. */
  const ACCOUNTS = 120_000;
  const ownLog = memoryLog();
  const impatient = setUp(() => startService({}, { logger: ownLog.logger, timeouts: { idleMs: IDLE_MS } }));
  let world: World;

  beforeAll(async () => {
    world = await impatient.given.supplier();
    await impatient.database.sql(
      `INSERT INTO account_import (import_supplier_id, external_account_number)
       SELECT s.id, 'account ' || i || repeat('-', 80)
         FROM import_supplier s, generate_series(1, ${ACCOUNTS}) AS i
        WHERE s.code = $1`,
      [world.supplier],
    );
  });

  /** Request the list, and read nothing yet. */
  function requestList(id: string): Socket {
    const { hostname, port } = new URL(impatient.baseUrl);
    const socket = connect(Number(port), hostname).pause();
    const path = `/v1/data-import/all-account-import-processes/${world.supplier}/`;
    socket.write(requestHead(`GET ${path}`, world.token, `X-Request-Id: ${id}`));
    return socket;
  }
  const logged = (id: string): Record<string, unknown>[] =>
    ownLog.lines().filter(({ request_id }) => request_id === id);

  it('completes when it is read at 50 kB/s, and its connection is closed when nothing is read (T18)', async () => {
    // Closing a connection with unread bytes resets it.
    requestList('unread').on('error', () => undefined);
    const slow = requestList('slow');
    const pieces: Buffer[] = [];
    const startMs = performance.now();
    for (let hasEnded = false; !hasEnded;) {
      await elapse(PIECE_MS);
      const piece = (slow.read(PIECE_BYTES) ?? slow.read()) as Buffer | null;
      if (piece) pieces.push(piece);
      hasEnded = slow.readableEnded || (slow.destroyed && !piece);
    }
    expect(performance.now() - startMs).toBeGreaterThan(1.5 * IDLE_MS);
    const [, body = ''] = Buffer.concat(pieces).toString().split('\r\n\r\n');
    const list = JSON.parse(body.replaceAll(/^[0-9a-f]+\r\n|\r\n[0-9a-f]+(?:\r\n|$)/g, '')) as unknown[];
    expect(list).toHaveLength(ACCOUNTS);
    await waitUntil('both are logged', () => logged('unread').length + logged('slow').length === 2);
    expect(logged('unread')).toMatchObject([{ msg: 'aborted by the service', level: 'info' }]);
    expect(logged('slow')).toMatchObject([{ msg: 'answered', status: 200 }]);
  });
});

describe('a service with as many connections as CONNECTIONS_MAX', () => {
  it('closes further ones at once, and accepts them again later (T18)', async () => {
    const ownLog = memoryLog();
    const small = await startService({ CONNECTIONS_MAX: '2', METRICS_PORT: '0' }, { logger: ownLog.logger });
    const sockets: Socket[] = [];
    const open = (): Socket => {
      const { hostname, port } = new URL(small.baseUrl);
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      sockets.push(socket);
      return socket;
    };
    const metric = async (name: string): Promise<number | undefined> => (await metricValues()).get(name);
    try {
      const [first] = [open(), open()];
      await waitUntil('both are open', async () => (await metric('data_import_client_connections')) === 2);
      await Promise.all([open(), open()].map((further) => once(further.resume(), 'close')));
      expect(await metric('data_import_client_connections_refused_total')).toBe(2);
      const warnings = ownLog.lines().filter(({ level }) => level === 'warn');
      expect(warnings).toMatchObject([{ msg: expect.stringContaining('CONNECTIONS_MAX') as string }]);
      first.destroy();
      await waitUntil('one is closed', async () => (await metric('data_import_client_connections')) === 1);
      expect((await small.call('/nowhere')).status).toBe(404);
    } finally {
      for (const socket of sockets) socket.destroy();
      await small.stop();
    }
  });
});

describe('a service that stops', () => {
  it('logs that the service, not the client, aborted a request (T3)', async () => {
    const ownLog = memoryLog();
    const stopping = await startService({}, { logger: ownLog.logger });
    const account = await stopping.given.importedAccount();
    const release = await stopping.database.lock('note');
    const answer = stopping.post(
      'notes/create/',
      account.token,
      { ...account.ref, notes: [{ body: 'Too late' }] },
      { 'x-request-id': 'cut-off' },
    );
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
