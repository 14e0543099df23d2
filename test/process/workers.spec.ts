import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CUT_OFF_TIMEOUT_MS, STOP_TIMEOUT_MS } from '../../src/http/serve.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { sendRaw, type RawReply } from '../support/raw-http.js';
import { isAlive, logOf, spawnService, workersOf, type ServiceProcess } from '../support/service-process.js';
import { givenIn, TOKEN_SIGNING_KEY, unique, type Given } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

/**
 * What a stop may take: the time for running requests, that for what was cut off, once more before a worker is taken for
 * stuck and once more before the leading process is; and a little for a busy machine.
 */
const STOP_MS = STOP_TIMEOUT_MS + 3 * CUT_OFF_TIMEOUT_MS + 5_000;

const FAILING = `--import=${pathToFileURL(resolve('test/support/failing-process.mjs')).href}`;

let home: string;
let database: TestDatabase;
let given: Given;
const started: ServiceProcess[] = [];
const releases: (() => Promise<void>)[] = [];

function start(settings: Record<string, string> = {}): ServiceProcess {
  const service = spawnService({
    DATABASE_URL: database.url,
    TOKEN_SIGNING_KEY,
    DATA_DIR: join(home, unique('data')),
    LOG_LEVEL: 'info',
    WEB_CONCURRENCY: '2',
    ...settings,
  });
  started.push(service);
  return service;
}

/** Process ids of the two workers that serve, the elder first. */
async function bothWorkersOf(service: ServiceProcess): Promise<[number, number]> {
  await waitUntil('two workers serve', () => workersOf(service).length === 2);
  return workersOf(service) as [number, number];
}

/** An answer, and the process id of the worker that gave it. */
interface Answer {
  readonly reply: RawReply;
  readonly by: () => number | undefined;
}

/** Ask on a connection of its own, so that the workers take turns. */
async function ask(service: ServiceProcess, url: string, path: string, token?: string): Promise<Answer> {
  const id = unique('request');
  const lines = [
    `GET ${path} HTTP/1.1`,
    'Host: service',
    `X-Request-Id: ${id}`,
    ...(token === undefined ? [] : [`Authorization: Token ${token}`]),
    'Connection: close',
  ];
  const reply = await sendRaw(url, `${lines.join('\r\n')}\r\n\r\n`);
  const by = (): number | undefined => logOf(service).find(({ request_id }) => request_id === id)?.pid;
  return { reply, by };
}

async function answerers(answers: readonly Answer[]): Promise<Set<number | undefined>> {
  await waitUntil('the answers are in the log', () => answers.every(({ by }) => by() !== undefined));
  return new Set(answers.map(({ by }) => by()));
}

/** A request whose answer waits until a table is free. */
async function statusRequest(): Promise<{ path: string; token: string }> {
  const { token, ref } = await given.importedAccount();
  const path = `/v1/data-import/account-transfer-status/${ref.import_supplier}/${ref.external_account_number}/`;
  return { path, token };
}

/** @returns lets the requests go on; the end of the test does so too */
async function blockRequests(): Promise<() => Promise<void>> {
  const release = await database.lock('account_import');
  releases.push(release);
  return release;
}

/** Whether nobody listens. A connection that was made while everything closed may get no answer; then it is not known. */
async function refusesConnections(url: string): Promise<boolean> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(1_000) });
    return false;
  } catch (error) {
    return ((error as Error).cause as { code?: string } | undefined)?.code === 'ECONNREFUSED';
  }
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'data-import-workers-'));
  database = await createDatabase();
  given = givenIn(database);
});
afterEach(async () => {
  for (const release of releases.splice(0)) await release();
});
afterAll(async () => {
  for (const service of started) {
    service.kill('SIGKILL');
    await service.ended;
  }
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

describe('the workers of one service', () => {
  let service: ServiceProcess;
  let url: string;

  beforeAll(async () => {
    service = start({ METRICS_PORT: '0', REQUESTS_PER_MINUTE: '6', NODE_OPTIONS: FAILING });
    url = await service.listening();
  });

  it('all answer, and share the allowance of an organisation (A9, 6)', async () => {
    const workers = await bothWorkersOf(service);
    const { path, token } = await statusRequest();
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(service, url, path, token)));
    expect(await answerers(answers)).toEqual(new Set(workers));
    const statuses = answers.map(({ reply }) => reply.status).sort();
    expect(statuses).toEqual([...Array<number>(6).fill(200), ...Array<number>(6).fill(429)]);
  });

  /** What Prometheus reads. */
  const metrics = async (): Promise<string> => {
    const metricsUrl = /The metrics are at (\S+)\.\n/.exec(service.stdout())![1]!;
    return (await fetch(metricsUrl)).text();
  };

  it('are measured by the route, and by nothing of an address but that (6)', async () => {
    const { path, token } = await statusRequest();
    const unknown = unique('unknown');
    await ask(service, url, path, token);
    await ask(service, url, `/${unknown}/`);
    const route = '/v1/data-import/account-transfer-status/:import_supplier/:external_account_number';
    const labels = [
      `{route="${route}",method="GET",status="200"}`,
      '{route="unknown",method="GET",status="404"}',
    ];
    await waitUntil('both are counted', async () => {
      const text = await metrics();
      return labels.every((one) => text.includes(`data_import_answers_total${one}`));
    });
    const text = await metrics();
    expect(text).toContain(`data_import_request_duration_seconds_count{route="${route}",method="GET"}`);
    for (const secret of [...path.split('/').slice(4, 6), unknown]) expect(text).not.toContain(secret);
  });

  it('are counted as one, also those that have ended (6)', async () => {
    const { path } = await statusRequest();
    const counted = async (): Promise<number> => {
      const line = (await metrics())
        .split('\n')
        .find((one) => one.startsWith('data_import_answers_total') && one.includes('"401"'));
      return Number(line?.split(' ').at(-1) ?? 0);
    };
    const askTenTimes = async (): Promise<void> => {
      const workers = await bothWorkersOf(service);
      const answers = await Promise.all(Array.from({ length: 10 }, () => ask(service, url, path)));
      expect(await answerers(answers)).toEqual(new Set(workers));
    };
    await askTenTimes();
    await waitUntil('ten are counted', async () => (await counted()) === 10);
    const [victim] = await bothWorkersOf(service);
    process.kill(victim, 'SIGKILL');
    await waitUntil('the victim has ended', () => !isAlive(victim));
    expect(await counted()).toBe(10);
    await askTenTimes();
    await waitUntil('twenty are counted', async () => (await counted()) === 20);
  });

  it('are replaced when they are killed, while the others go on (6)', async () => {
    const [victim, other] = await bothWorkersOf(service);
    const { path, token } = await statusRequest();
    const release = await blockRequests();
    const running: Promise<Answer>[] = [];
    for (let requests = 1; requests <= 4; requests += 1) {
      running.push(ask(service, url, path, token));
      await database.blocked(requests);
    }
    process.kill(victim, 'SIGKILL');
    await waitUntil('the victim has ended', () => !isAlive(victim));
    await release();
    const answered = (await Promise.all(running)).filter(({ reply }) => reply.status === 200);
    expect(answered).toHaveLength(2);
    expect(await answerers(answered)).toEqual(new Set([other]));
    const [, newcomer] = await bothWorkersOf(service);
    const next = await statusRequest();
    const later = await Promise.all(
      Array.from({ length: 6 }, () => ask(service, url, next.path, next.token)),
    );
    expect(later.map(({ reply }) => reply.status)).toEqual(Array(6).fill(200));
    expect(await answerers(later)).toEqual(new Set([other, newcomer]));
    expect(logOf(service)).toContainEqual(
      expect.objectContaining({ level: 'error', worker: victim, code: null, signal: 'SIGKILL' }),
    );
  });

  it.each([
    ['an exception', 'SIGUSR2'],
    ['a rejection', 'SIGWINCH'],
  ] as const)(
    'end on %s that nobody catches, after what is running, and are replaced (6)',
    async (what, signal) => {
      const [victim, other] = await bothWorkersOf(service);
      const { path, token } = await statusRequest();
      const release = await blockRequests();
      const running = [ask(service, url, path, token), ask(service, url, path, token)];
      await database.blocked(2);
      process.kill(victim, signal);
      const message = `${what.replace('a', 'A')} on purpose.`;
      await waitUntil('the failure is told', () => service.stderr().includes(message));
      await release();
      const answers = await Promise.all(running);
      expect(answers.map(({ reply }) => reply.status)).toEqual([200, 200]);
      expect(await answerers(answers)).toEqual(new Set([victim, other]));
      await waitUntil('the victim has ended', () => !isAlive(victim));
      await bothWorkersOf(service);
      expect(logOf(service)).toContainEqual(
        expect.objectContaining({ pid: victim, level: 'fatal', msg: 'uncaught failure, stopping' }),
      );
      expect(logOf(service)).toContainEqual(
        expect.objectContaining({ level: 'error', worker: victim, code: 1, signal: null }),
      );
    },
  );
});

describe('stopping a service with several workers', () => {
  it('answers what is running, takes nothing new, and leaves no process behind (6)', async () => {
    const service = start();
    const url = await service.listening();
    const workers = await bothWorkersOf(service);
    const { path, token } = await statusRequest();
    const release = await blockRequests();
    const running = [ask(service, url, path, token), ask(service, url, path, token)];
    await database.blocked(2);
    service.kill('SIGTERM');
    await waitUntil('nothing new is taken', () => refusesConnections(url));
    await release();
    const answers = await Promise.all(running);
    expect(answers.map(({ reply }) => reply.status)).toEqual([200, 200]);
    expect(await service.ended).toBe(0);
    expect(workers.filter(isAlive)).toEqual([]);
  });

  it('cuts off what does not end, in its limited time (6)', async () => {
    const service = start();
    const url = await service.listening();
    const workers = await bothWorkersOf(service);
    const { path, token } = await statusRequest();
    await blockRequests();
    const running = ask(service, url, path, token);
    await database.blocked(1);
    const stoppedAtMs = performance.now();
    const cutOffAfterMs = running.then(() => performance.now() - stoppedAtMs);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(performance.now() - stoppedAtMs).toBeLessThan(STOP_MS);
    // Nothing cuts it off earlier: it has the whole time that was promised.
    expect(await cutOffAfterMs).toBeGreaterThanOrEqual(STOP_TIMEOUT_MS);
    expect(workers.filter(isAlive)).toEqual([]);
    expect((await running).reply.text).toBe('');
  });
});

describe('a service whose leading process', () => {
  it('is killed leaves no worker behind (6)', async () => {
    const service = start();
    const url = await service.listening();
    const workers = await bothWorkersOf(service);
    service.kill('SIGKILL');
    await service.ended;
    await waitUntil('the workers have ended', () => !workers.some(isAlive));
    expect(await refusesConnections(url)).toBe(true);
  });

  it.each([
    ['an exception', 'SIGUSR2', '1'],
    ['a rejection', 'SIGWINCH', '2'],
  ] as const)(
    'meets %s that nobody catches answers what is running and ends with an error (6)',
    async (what, signal, concurrency) => {
      const service = start({ NODE_OPTIONS: FAILING, WEB_CONCURRENCY: concurrency });
      const url = await service.listening();
      const { path, token } = await statusRequest();
      const release = await blockRequests();
      const running = ask(service, url, path, token);
      await database.blocked(1);
      service.kill(signal);
      await waitUntil('nothing new is taken', () => refusesConnections(url));
      await release();
      expect((await running).reply.status).toBe(200);
      expect(await service.ended).toBe(1);
      expect(service.stderr()).toContain(`${what.replace('a', 'A')} on purpose.`);
      const processes = new Set(logOf(service).map(({ pid }) => pid));
      expect([...processes].filter(isAlive)).toEqual([]);
    },
  );
});

describe('workers that cannot start', () => {
  it('end the start, with a sentence (6)', async () => {
    const signal = join(home, unique('no workers'));
    await writeFile(signal, '');
    const service = start({ NODE_OPTIONS: FAILING, TEST_NO_WORKERS_WHILE: signal });
    expect(await service.ended).toBe(1);
    expect(service.stderr()).toBe('A worker process ended before it was ready; the log says why.\n');
    expect(service.stdout()).not.toContain('Listening');
  });

  it('later on are tried five times, ever more slowly, before the service ends (6)', async () => {
    const signal = join(home, unique('no workers'));
    const service = start({ NODE_OPTIONS: FAILING, TEST_NO_WORKERS_WHILE: signal });
    await service.listening();
    const workers = await bothWorkersOf(service);
    await writeFile(signal, '');
    for (const worker of workers) process.kill(worker, 'SIGKILL');
    expect(await service.ended).toBe(1);
    const ends = logOf(service).filter(({ msg }) => msg.startsWith('a worker ended'));
    expect(ends.map(({ level }) => level)).toEqual(['error', 'error', 'error', 'error', 'fatal']);
    expect(service.stderr()).toMatch(
      /^The worker processes end again and again right after their start; the log says why\.$/m,
    );
  });

  it.each(['PORT', 'METRICS_PORT'])('because %s is taken say so (6)', async (setting) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const service = start({ [setting]: String(port) });
    expect(await service.ended).toBe(1);
    other.close();
    const what = setting === 'PORT' ? 'The service cannot listen' : 'The metrics cannot be served';
    expect(service.stderr()).toMatch(new RegExp(`^${what} on 127\\.0\\.0\\.1:${port}: .*\\.$`, 'm'));
  });
});
