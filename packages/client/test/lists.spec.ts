import { startService, type World } from '../../../test/support/service.js';
import { ConnectionError, TimeoutError } from '../src/errors.js';
import type { ClientOptions } from '../src/options.js';
import { setUp, setUpEach } from '../../../test/support/set-up.js';
import { failureOf, givenClient, type GivenClient } from './support/client.js';
import { answer, silence, startHttpProxy, type Fault } from './support/http-proxy.js';

const service = setUp(startService);
const proxy = setUpEach(() => startHttpProxy(service.baseUrl));
let world: World;
const numbers = Array.from({ length: 9 }, (_, at) => `100${at}`);

beforeAll(async () => {
  world = await service.given.supplier();
  for (const number of numbers) await service.given.stagedAccount(world, number);
});

const given = (options: Partial<ClientOptions> = {}): Promise<GivenClient> =>
  givenClient(service, world.organisationId, { baseUrl: proxy.url, ...options });

async function read({ client }: GivenClient, options = {}): Promise<string[]> {
  const found: string[] = [];
  for await (const account of client.listAllAccountImportProcesses(world.supplier, options)) {
    found.push(account.external_account_number);
  }
  return found;
}

/** Send the first bytes of the service's answer, then break the connection. */
const cutAt =
  (bytes: number): Fault =>
  async ({ cut }, response, forward) => {
    const { headers, body } = await forward();
    response.writeHead(200, { ...headers, 'content-length': String(body.length) });
    response.write(body.subarray(0, bytes), cut);
  };

/** Send the first bytes of the service's answer as if they were the whole answer. */
const endAt =
  (bytes: number): Fault =>
  async (_received, response, forward) => {
    const { headers, body } = await forward();
    response.writeHead(200, { ...headers, 'content-length': String(bytes) }).end(body.subarray(0, bytes));
  };

it.each([
  ['nothing', 0],
  ['the bracket', 1],
  ['a part of an account', 120],
  ['some accounts', 400],
])('a list that breaks off after %s is resumed: each account comes once, in order (S5)', async (_, bytes) => {
  const client = await given();
  proxy.faults.push(cutAt(bytes), endAt(bytes), answer(503, { 'retry-after': '4' }));
  expect(await read(client)).toEqual(numbers);
  expect(client.waits).toContain(4_000);
  expect(proxy.requests).toHaveLength(4);
});

it('a page that breaks off is resumed too', async () => {
  const client = await given();
  proxy.faults.push(cutAt(400), cutAt(300));
  expect(await read(client, { pageSize: 5 })).toEqual(numbers);
});

it('a list that breaks off repeatedly without an account in between finally fails', async () => {
  const client = await given({ retry: { attempts: 3 } });
  proxy.faults.push(...Array.from({ length: 9 }, () => cutAt(1)));
  expect(await failureOf(read(client))).toBeInstanceOf(ConnectionError);
  expect(proxy.requests).toHaveLength(3);
});

it('a list that breaks off is an error when retries are off', async () => {
  const client = await given();
  proxy.faults.push(endAt(400));
  expect(await failureOf(read(client, { retry: false }))).toMatchObject({
    code: 'connection_failed',
    retryable: true,
  });
});

it('a list whose next part does not arrive is resumed after the timeout', async () => {
  const client = await given({ timeoutMs: 500 });
  proxy.faults.push(async (_received, response, forward) => {
    const { headers, body } = await forward();
    response.writeHead(200, headers).write(body.subarray(0, 400));
  });
  expect(await read(client)).toEqual(numbers);
  expect(client.retries[0]).toMatchObject({ reason: 'timeout' });
  proxy.faults.push(silence);
  expect(await failureOf(read(client, { retry: false, timeoutMs: 50 }))).toBeInstanceOf(TimeoutError);
});

it('an answer that is not a list is an error, and is not requested again', async () => {
  const client = await given();
  proxy.faults.push(answer(200, {}, { accounts: [] }));
  expect(await failureOf(read(client))).toMatchObject({ code: 'unexpected_answer', status: 200 });
  expect(proxy.requests).toHaveLength(1);
});

it('a reader that stops early, or whose signal is aborted, closes the connection', async () => {
  const { client } = await given();
  const stop = new AbortController();
  for await (const { external_account_number: first } of client.listAllAccountImportProcesses(
    world.supplier,
  )) {
    expect(first).toBe(numbers[0]);
    break;
  }
  const list = client.listAllAccountImportProcesses(world.supplier, { signal: stop.signal, pageSize: 1 });
  const iterator = list[Symbol.asyncIterator]();
  await iterator.next();
  stop.abort(new Error('stopped'));
  await expect(iterator.next()).rejects.toThrow('stopped');
});
