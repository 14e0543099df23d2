import { setImmediate } from 'node:timers/promises';
import { setUpEach } from '../../../test/support/set-up.js';
import { elapse, waitUntil } from '../../../test/support/wait-until.js';
import { FeedRestartedError, PlatformClient } from '../src/platform.js';
import type { ChangesOptions, ClientOptions, ReadChange } from '../src/platform.js';
import { failureOf } from './support/client.js';
import { startFakeFeed } from './support/fake-feed.js';
import { answer, startHttpProxy, type Fault } from './support/http-proxy.js';

const feed = setUpEach(startFakeFeed);
const proxy = setUpEach(() => startHttpProxy(feed.url));
let waits: number[];
/** Ends the readers of a test, which would never end by themselves. */
let end: AbortController;

beforeEach(() => {
  waits = [];
  end = new AbortController();
});
afterEach(() => {
  end.abort(new Error('The test has ended.'));
});

function given(options: Partial<ClientOptions> = {}): PlatformClient {
  const clock = {
    now: () => performance.now(),
    sleep: (ms: number, signal?: AbortSignal) => {
      waits.push(ms);
      return setImmediate(undefined, { signal });
    },
    random: () => 0,
  };
  return new PlatformClient({ baseUrl: proxy.url, apiKey: 'k', clock, ...options });
}

/** Read the next changes. @returns their sequence numbers */
async function take(iterator: AsyncIterator<ReadChange>, count: number): Promise<number[]> {
  const numbers: number[] = [];
  while (numbers.length < count) {
    const { value } = (await iterator.next()) as { value: ReadChange };
    numbers.push(Number(value.change.sequence));
    expect(value.cursor).toMatch(new RegExp(`^\\w+-${value.change.sequence}$`));
  }
  return numbers;
}

const read = (client: PlatformClient, options: Partial<ChangesOptions> = {}): AsyncIterator<ReadChange> =>
  client.changes({ supplier: 'ACME', signal: end.signal, ...options })[Symbol.asyncIterator]();

const upTo = (last: number, first = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

/** Send the first bytes of the answer, then break the connection. */
const cutAt =
  (bytes: number): Fault =>
  async ({ cut }, response, forward) => {
    const { headers, body } = await forward();
    response.writeHead(200, headers).write(body.subarray(0, bytes), cut);
  };

it('reads existing changes, waits for more, and acknowledges them with the next request (E1, E6)', async () => {
  feed.add(5);
  const changes = read(given(), { reader: 'billing' });
  expect(await take(changes, 5)).toEqual(upTo(5));
  const next = take(changes, 2);
  await waitUntil('the reader waits', () => proxy.requests.length === 2);
  feed.add(2);
  expect(await next).toEqual([6, 7]);
  const address = '/v1/platform/import-suppliers/ACME/changes/';
  expect(proxy.requests.map(({ path, headers }) => [path, headers.accept])).toEqual([
    [`${address}?reader=billing&wait=20`, 'application/x-ndjson'],
    [`${address}?cursor=e1-${'5'.padStart(19, '0')}&reader=billing&wait=20`, 'application/x-ndjson'],
  ]);
});

it('begins after a cursor', async () => {
  feed.add(4);
  const [, , third] = [
    await take(read(given()), 2),
    0,
    read(given(), { cursor: `e1-${'2'.padStart(19, '0')}` }),
  ];
  expect(await take(third, 2)).toEqual([3, 4]);
});

it.each([
  ['nothing', 0],
  ['a part of a change', 60],
  ['a change and a part', 400],
])('a stream that breaks off after %s is resumed: each change comes once, in order', async (_, bytes) => {
  feed.add(6);
  proxy.faults.push(cutAt(bytes), answer(503, { 'retry-after': '4' }), cutAt(bytes));
  const changes = read(given());
  expect(await take(changes, 6)).toEqual(upTo(6));
  expect(waits).toContain(4_000);
});

it('continues after more failures than any other call, with bounded pauses', async () => {
  feed.add(1);
  proxy.faults.push(...Array.from({ length: 30 }, () => answer(503)));
  expect(await take(read(given()), 1)).toEqual([1]);
  expect(waits).toHaveLength(30);
  expect(Math.max(...waits)).toBeLessThanOrEqual(30_000);
});

it('ends with the failure when retries are off', async () => {
  proxy.faults.push(answer(503));
  expect(await failureOf(read(given({ retry: false })).next())).toMatchObject({ code: 'code_503' });
});

it('an answer that the service delays may take longer than the timeout', async () => {
  feed.add(1);
  const changes = read(given({ timeoutMs: 500 }));
  await take(changes, 1);
  const next = take(changes, 1);
  await waitUntil('the reader waits', () => proxy.requests.length === 2);
  await elapse(700);
  feed.add(1);
  expect(await next).toEqual([2]);
  expect(proxy.requests).toHaveLength(2);
});

it('ends with the cursor from which to continue when numbers were lost (E7)', async () => {
  feed.add(5);
  const changes = read(given());
  await take(changes, 5);
  feed.restart(3);
  const third = '3'.padStart(19, '0');
  const error = (await failureOf(changes.next())) as FeedRestartedError;
  expect(error).toBeInstanceOf(FeedRestartedError);
  expect(error).toMatchObject({
    status: 409,
    code: 'feed_restarted',
    cursor: `e1x-${third}`,
    sequence: third,
  });
  feed.add(1);
  expect(await take(read(given(), { cursor: error.cursor }), 1)).toEqual([4]);
});

it.each([
  ['has no epoch', answer(200, {}, '{"sequence":"1"}\n')],
  ['is not NDJSON', answer(200, { 'feed-epoch': 'e1' }, 'A proxy.\n')],
])('an answer that %s is an error, and is not requested again', async (_, fault) => {
  proxy.faults.push(fault);
  expect(await failureOf(read(given()).next())).toMatchObject({ code: 'unexpected_answer', status: 200 });
  expect(proxy.requests).toHaveLength(1);
});

it('a reader that stops early, or whose signal is aborted, closes the connection', async () => {
  feed.add(3);
  const client = given();
  for await (const { change } of client.changes({ supplier: 'ACME' })) {
    expect(change.type).toBe('import.undone');
    break;
  }
  const stop = new AbortController();
  const changes = read(client, { signal: stop.signal });
  await take(changes, 3);
  const next = changes.next();
  stop.abort(new Error('stopped'));
  await expect(next).rejects.toThrow('stopped');
  expect(await changes.next()).toMatchObject({ done: true });
});
