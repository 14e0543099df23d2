import { getEventListeners } from 'node:events';
import { unique, type AccountPair } from '../../../test/support/service.js';
import { sharedService } from '../../../test/support/shared-service.js';
import { waitUntil } from '../../../test/support/wait-until.js';
import type { DataImportClient } from '../src/client.js';
import { ConnectionError, DataImportError, ServiceError, TimeoutError } from '../src/errors.js';
import type { ClientOptions } from '../src/options.js';
import { failureOf, givenClient, type GivenClient } from './support/client.js';
import { answer, cutAfter, cutBefore, silence, startHttpProxy } from './support/http-proxy.js';
import { setUp, setUpEach } from '../../../test/support/set-up.js';

const service = setUp(sharedService);
const proxy = setUpEach(() => startHttpProxy(service.baseUrl));
let organisationId: string;
let supplier: string;
let ref: AccountPair;

beforeAll(async () => {
  ({ organisationId, supplier, ref } = await service.given.importedAccount());
});

const given = (options: Partial<ClientOptions> = {}): Promise<GivenClient> =>
  givenClient(service, organisationId, { baseUrl: proxy.url, ...options });
const status = (client: DataImportClient, options = {}): Promise<unknown> =>
  client.getAccountTransferStatus(ref.import_supplier, ref.external_account_number, options);
const add = (client: DataImportClient, id: string, options = {}): Promise<readonly { status: string }[]> =>
  client.createTransactions(
    {
      ...ref,
      transactions: [{ transaction_id: id, transaction_date: '2026-11-02', type: 'CHARGE', amount: 1 }],
    },
    options,
  );
const count = async (id: string): Promise<number> =>
  (await service.database.sql('SELECT 1 FROM transaction WHERE transaction_id = $1', [id])).length;

describe('a call is retried', () => {
  it('after 429 and 503, when Retry-After has passed, with the same bytes and request id', async () => {
    const { client, waits, retries } = await given({ retry: { maxWaitMs: 1 } });
    proxy.faults.push(answer(429, { 'retry-after': '2' }), answer(503, { 'retry-after': '7' }));
    const [result] = await add(client, unique('T'), { requestId: 'run-1' });
    expect(result?.status).toBe('TRANSACTION_ADDED_TO_ACCOUNT');
    expect(waits).toEqual([2_000, 7_000]);
    expect(retries).toMatchObject([
      { reason: 'throttled', waitMs: 2_000, requestId: 'run-1', attempt: 1, error: { retryAfterSeconds: 2 } },
      { reason: 'unavailable', waitMs: 7_000, requestId: 'run-1', attempt: 2, error: { code: 'code_503' } },
    ]);
    const sent = proxy.requests.map(({ body, path, headers }) => [body, path, headers['x-request-id']]);
    expect(sent).toEqual(Array(3).fill(sent[0]));
    expect(sent[0]?.[2]).toBe('run-1');
  });

  it('after a broken connection, immediately the first time', async () => {
    const { client, waits, retries } = await given();
    proxy.faults.push(cutBefore, cutBefore);
    expect(await status(client)).toMatchObject({ status: 'COMPLETED' });
    expect(waits).toEqual([500]);
    expect(retries.map(({ reason, waitMs }) => [reason, waitMs])).toEqual([
      ['connection', 0],
      ['connection', 500],
    ]);
  });

  it('after a lost answer, and stored items are recognised', async () => {
    const { client } = await given();
    const id = unique('T');
    proxy.faults.push(cutAfter);
    expect(await add(client, id)).toMatchObject([{ status: 'TRANSACTION_ALREADY_EXISTS' }]);
    expect(await count(id)).toBe(1);
  });

  it('after an answer that breaks off', async () => {
    const { client } = await given();
    proxy.faults.push(({ cut }, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"status": "UNKNOWN"', cut);
    });
    expect(await status(client)).toMatchObject({ status: 'COMPLETED' });
  });

  it('after no answer in time', async () => {
    const { client, retries } = await given();
    proxy.faults.push(silence);
    expect(await status(client, { timeoutMs: 500 })).toMatchObject({ status: 'COMPLETED' });
    expect(retries[0]).toMatchObject({ reason: 'timeout', error: { code: 'timeout' } });
  });

  it('after failures of the call for a token', async () => {
    const { client, waits } = await given();
    proxy.tokenFaults.push(answer(503, { 'retry-after': '3' }), cutBefore);
    await Promise.all([status(client), status(client), status(client)]);
    expect(waits).toContain(3_000);
    expect(proxy.tokenRequests).toHaveLength(3);
  });
});

describe('a call is not retried', () => {
  it('when retries are off', async () => {
    const { client } = await given({ retry: false });
    proxy.faults.push(answer(503, { 'retry-after': '9' }), cutBefore);
    expect(await failureOf(status(client))).toMatchObject({ retryable: true, retryAfterSeconds: 9 });
    const error = await failureOf(status(client, { retry: false }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'connection_failed', retryable: true, status: undefined });
    expect(proxy.requests).toHaveLength(2);
  });

  it('when it may have added transactions without checking for existing ones', async () => {
    const { client } = await given();
    const id = unique('T');
    for (const fault of [cutAfter, answer(503, { 'retry-after': '1' }), answer(500), answer(502)]) {
      proxy.faults.push(fault);
      expect(await failureOf(add(client, id, { checkPreviouslyAdded: false }))).toMatchObject({
        retryable: false,
      });
    }
    proxy.faults.push(silence);
    const late = await failureOf(add(client, id, { checkPreviouslyAdded: false, timeoutMs: 50 }));
    expect(late).toBeInstanceOf(TimeoutError);
    expect(late).toMatchObject({ retryable: false });
    expect(proxy.requests).toHaveLength(5);
    expect(await count(id)).toBe(1);
  });

  it('but even such a call is retried after 429 and in a dry run', async () => {
    const { client } = await given();
    const id = unique('T');
    proxy.faults.push(answer(429), cutAfter);
    await failureOf(add(client, id, { checkPreviouslyAdded: false }));
    expect(proxy.requests).toHaveLength(2);
    proxy.faults.push(cutAfter);
    await add(client, id, { checkPreviouslyAdded: false, dryRun: true });
    expect(await count(id)).toBe(1);
  });
});

it('an unreachable service is a retryable connection error, and nothing was sent', async () => {
  const { client } = await given({ baseUrl: 'http://127.0.0.1:1', retry: { attempts: 2 } });
  const error = await failureOf(status(client));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({
    retryable: true,
    message: expect.stringContaining('ECONNREFUSED') as string,
  });
  expect(String(error)).not.toContain('may have been stored');
});

it('an encrypted address where the service speaks plain HTTP fails at once', async () => {
  const { client, retries } = await given({ baseUrl: proxy.url.replace('http:', 'https:') });
  expect(await failureOf(status(client))).toMatchObject({ code: 'connection_failed', retryable: false });
  expect(retries).toEqual([]);
});

it.each<[string, number, Record<string, string>, unknown]>([
  ['a page', 200, {}, '<html>a secret</html>'],
  ['JSON of another kind', 200, {}, null],
  ['an error of a proxy', 403, {}, '<html>a secret</html>'],
  [
    'another address, which is not followed',
    301,
    { location: 'https://elsewhere.example/' },
    '<html>a secret</html>',
  ],
])('%s is not an answer of the service, and its text is in no error', async (_, code, headers, body) => {
  const { client } = await given();
  proxy.faults.push(answer(code, headers, body));
  const error = await failureOf(status(client));
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ code: 'unexpected_answer', status: code, retryable: false });
  expect(JSON.stringify(error) + String(error)).not.toContain('a secret');
  expect(proxy.requests).toHaveLength(1);
});

describe('a signal', () => {
  const reason = new Error('stopped by the caller');

  it('ends a call that waits for an answer', async () => {
    const { client } = await given();
    const stop = new AbortController();
    proxy.faults.push(silence);
    const call = failureOf(status(client, { signal: stop.signal }));
    await waitUntil('the request arrives', () => proxy.requests.length === 1);
    stop.abort(reason);
    expect(await call).toBe(reason);
  });

  it('ends a call that waits for a connection', async () => {
    const { client } = await given({ connections: 1, retry: false });
    const [held, stop] = [new AbortController(), new AbortController()];
    proxy.faults.push(silence);
    const first = failureOf(status(client, { signal: held.signal }));
    await waitUntil('the request arrives', () => proxy.requests.length === 1);
    const waiting = failureOf(status(client, { signal: stop.signal }));
    setImmediate(() => {
      stop.abort(reason);
    });
    expect(await waiting).toBe(reason);
    held.abort(reason);
    expect(await first).toBe(reason);
    expect(await status(client)).toMatchObject({ status: 'COMPLETED' });
  });

  it('ends a pause on the real clock', async () => {
    let paused = 0;
    const stop = new AbortController();
    const { client: patient } = await givenWithRealClock(() => (paused += 1));
    proxy.faults.push(answer(503, { 'retry-after': '200' }));
    const call = failureOf(status(patient, { signal: stop.signal }));
    await waitUntil('the client waits', () => paused === 1);
    stop.abort(reason);
    expect(await call).toBe(reason);
  });

  it('ends a call before it is sent', async () => {
    const { client } = await given();
    expect(await failureOf(status(client, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect([proxy.requests.length, proxy.tokenRequests.length]).toEqual([0, 0]);
  });

  it('may serve any number of calls, with one listener for all of them', async () => {
    const { client } = await given();
    const stop = new AbortController();
    const calls = Array.from({ length: 30 }, () => status(client, { signal: stop.signal }));
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
    await Promise.all(calls);
    proxy.faults.push(silence, silence);
    const silent = [1, 2].map(() => failureOf(status(client, { signal: stop.signal })));
    await waitUntil('both requests arrive', () => proxy.requests.length === 32);
    stop.abort(reason);
    expect(await Promise.all(silent)).toEqual([reason, reason]);
  });

  const givenWithRealClock = async (onRetry: () => void): Promise<{ client: DataImportClient }> => {
    const { DataImportClient: Client } = await import('../src/client.js');
    const { apiKey } = await given();
    return { client: new Client({ baseUrl: proxy.url, apiKey, onRetry }) };
  };
});

describe('connections', () => {
  it('are limited and stay open; the timeout of a waiting call begins when it gets one', async () => {
    const { client, retries } = await given({ connections: 2 });
    await Promise.all(Array.from({ length: 40 }, () => status(client)));
    expect(proxy.connectionsMax()).toBe(2);
    expect(retries).toEqual([]);
    proxy.faults.push(silence, silence);
    const held = [1, 2].map(() => failureOf(status(client, { retry: false, timeoutMs: 500 })));
    // If the time in the queue counted, this call would time out before its request was sent.
    await status(client, { requestId: 'waiting', timeoutMs: 400 });
    const sent = proxy.requests.filter(({ headers }) => headers['x-request-id'] === 'waiting');
    expect(sent).toHaveLength(retries.filter(({ requestId }) => requestId === 'waiting').length + 1);
    for (const error of await Promise.all(held)) expect(error).toBeInstanceOf(TimeoutError);
  });

  it('do not run out when each account of a list is requested on the only connection', async () => {
    const { client } = await given({ connections: 1 });
    for await (const { external_account_number: number } of client.listAllAccountImportProcesses(supplier)) {
      expect(await client.getAccountTransferStatus(supplier, number)).toBeDefined();
    }
  });

  it('carry bodies whose length is stated in bytes', async () => {
    const { client } = await given();
    await client.createNotes({ ...ref, notes: [{ body: 'Zähler im Keller 日本' }] });
    const { headers, body } = proxy.requests[0]!;
    expect(headers).toMatchObject({ 'content-length': String(Buffer.byteLength(body)) });
    expect(headers).not.toHaveProperty('transfer-encoding');
    expect(headers['user-agent']).toMatch(/^data-import-client\/\d/);
  });

  it('can be closed', async () => {
    const { client } = await given({ retry: false });
    await status(client);
    proxy.faults.push(silence);
    const call = failureOf(status(client));
    await waitUntil('the request arrives', () => proxy.requests.length === 2);
    client.close();
    expect(await call).toBeInstanceOf(DataImportError);
  });
});
