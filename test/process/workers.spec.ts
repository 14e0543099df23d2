import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServiceTimes } from '../../src/cluster/run-service.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { sendRaw, type RawReply } from '../support/raw-http.js';
import { isAlive, logOf, spawnService, workersOf, type ServiceProcess } from '../support/service-process.js';
import { givenIn, TOKEN_SIGNING_KEY, unique, type Given } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

/** Shorter than the service's own. */
const TIMES = { restartDelayMs: 20 };

const FAILING = `--import=${pathToFileURL(resolve('test/support/failing-process.mjs')).href}`;

let home: string;
let database: TestDatabase;
let given: Given;
const started: ServiceProcess[] = [];
const releases: (() => Promise<void>)[] = [];

function start(settings: Record<string, string> = {}, times?: ServiceTimes): ServiceProcess {
  const service = spawnService(
    {
      DATABASE_URL: database.url,
      TOKEN_SIGNING_KEY,
      DATA_DIR: join(home, unique('data')),
      LOG_LEVEL: 'info',
      WEB_CONCURRENCY: '2',
      ...settings,
    },
    times,
  );
  started.push(service);
  return service;
}

/** Process ids of the two workers that serve, oldest first. */
async function bothWorkersOf(service: ServiceProcess): Promise<[number, number]> {
  await waitUntil('two workers serve', () => workersOf(service).length === 2);
  return workersOf(service) as [number, number];
}

/** An answer, and the process id of the worker that sent it. */
interface Answer {
  readonly reply: RawReply;
  readonly by: () => number | undefined;
}

/** Send a request on its own connection, so that connections go to the workers one after the other. */
async function request(service: ServiceProcess, url: string, path: string, token?: string): Promise<Answer> {
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

async function answeredBy(answers: readonly Answer[]): Promise<Set<number | undefined>> {
  await waitUntil('the answers are in the log', () => answers.every(({ by }) => by() !== undefined));
  return new Set(answers.map(({ by }) => by()));
}

/** A request whose answer waits until a table is free. */
async function statusRequest(): Promise<{ path: string; token: string }> {
  const { token, ref } = await given.importedAccount();
  const path = `/v1/data-import/account-transfer-status/${ref.import_supplier}/${ref.external_account_number}/`;
  return { path, token };
}

/** @returns lets the requests that need a table continue, as the end of the test does too */
async function blockRequests(table = 'account_import'): Promise<() => Promise<void>> {
  const release = await database.lock(table);
  releases.push(release);
  return release;
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

/** The tests build on each other: together they are the life of one service. */
describe('the workers of one service', () => {
  let service: ServiceProcess;
  let url: string;
  /** While this file exists, no worker can start. */
  let noWorkers: string;

  beforeAll(async () => {
    noWorkers = join(home, unique('no workers'));
    service = start(
      {
        METRICS_PORT: '0',
        REQUESTS_PER_MINUTE: '6',
        NODE_OPTIONS: FAILING,
        TEST_NO_WORKERS_WHILE: noWorkers,
      },
      TIMES,
    );
    url = await service.listening();
  });

  it('all answer, and share the request limit of an organisation (A9, section 6)', async () => {
    const workers = await bothWorkersOf(service);
    const { path, token } = await statusRequest();
    const answers = await Promise.all(Array.from({ length: 12 }, () => request(service, url, path, token)));
    expect(await answeredBy(answers)).toEqual(new Set(workers));
    const statuses = answers.map(({ reply }) => reply.status).sort();
    expect(statuses).toEqual([...Array<number>(6).fill(200), ...Array<number>(6).fill(429)]);
  });

  /** The text that Prometheus reads. */
  const metrics = async (): Promise<string> => {
    const metricsUrl = /The metrics are at (\S+)\.\n/.exec(service.stdout())![1]!;
    return (await fetch(metricsUrl)).text();
  };

  it('are measured by route, never by the address itself (section 6)', async () => {
    const { path, token } = await statusRequest();
    const unknown = unique('unknown');
    await request(service, url, path, token);
    await request(service, url, `/${unknown}/`);
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
    expect(text).toContain('data_import_client_connections_refused_total 0');
    for (const secret of [...path.split('/').slice(4, 6), unknown]) expect(text).not.toContain(secret);
  });

  it('are measured as one: connections are added, the build is named once, the slowest event loop shows (O3)', async () => {
    const value = (text: string, name: string): number =>
      Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(text)?.[1]);
    await waitUntil('both workers have sent their metrics', async () => {
      return value(await metrics(), 'data_import_database_connections_max') === 2 * 10;
    });
    const text = await metrics();
    expect(value(text, 'data_import_build_info')).toBe(1);
    expect(value(text, 'nodejs_eventloop_lag_max_seconds')).toBeGreaterThan(0);
    expect(text).toContain('data_import_items_total{kind="notes",outcome="added"} 0');
  });

  it('are replaced when they are killed, while the others continue, and stay counted (section 6)', async () => {
    const [victim, other] = await bothWorkersOf(service);
    const { path, token } = await statusRequest();
    const counted = async (): Promise<number> => {
      const line = (await metrics())
        .split('\n')
        .find((one) => one.startsWith('data_import_answers_total') && one.includes('"401"'));
      return Number(line?.split(' ').at(-1) ?? 0);
    };
    const askTenTimes = async (workers: readonly number[]): Promise<void> => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => request(service, url, path)));
      expect(await answeredBy(answers)).toEqual(new Set(workers));
    };
    await askTenTimes([victim, other]);
    await waitUntil('ten are counted', async () => (await counted()) === 10);

    const release = await blockRequests();
    const running: Promise<Answer>[] = [];
    for (let requests = 1; requests <= 4; requests += 1) {
      running.push(request(service, url, path, token));
      await database.blocked(requests);
    }
    process.kill(victim, 'SIGKILL');
    await waitUntil('the victim has ended', () => !isAlive(victim));
    await release();
    const answered = (await Promise.all(running)).filter(({ reply }) => reply.status === 200);
    expect(answered).toHaveLength(2);
    expect(await answeredBy(answered)).toEqual(new Set([other]));
    expect(await counted()).toBe(10);

    const [, replacement] = await bothWorkersOf(service);
    await askTenTimes([other, replacement]);
    await waitUntil('twenty are counted', async () => (await counted()) === 20);
    const next = await statusRequest();
    const later = await Promise.all(
      Array.from({ length: 6 }, () => request(service, url, next.path, next.token)),
    );
    expect(later.map(({ reply }) => reply.status)).toEqual(Array(6).fill(200));
    expect(await answeredBy(later)).toEqual(new Set([other, replacement]));
    expect(logOf(service)).toContainEqual(
      expect.objectContaining({ level: 'error', worker: victim, code: null, signal: 'SIGKILL' }),
    );
  });

  it('end on a failure that nobody catches after answering the running requests, and are replaced (section 6)', async () => {
    const [victim, other] = await bothWorkersOf(service);
    const { path, token } = await statusRequest();
    const release = await blockRequests();
    const running = [request(service, url, path, token), request(service, url, path, token)];
    await database.blocked(2);
    process.kill(victim, 'SIGWINCH');
    await waitUntil('the failure is in the log', () => service.stderr().includes('A rejection on purpose.'));
    await release();
    const answers = await Promise.all(running);
    expect(answers.map(({ reply }) => reply.status)).toEqual([200, 200]);
    expect(await answeredBy(answers)).toEqual(new Set([victim, other]));
    await waitUntil('the victim has ended', () => !isAlive(victim));
    await bothWorkersOf(service);
    expect(logOf(service)).toContainEqual(
      expect.objectContaining({ pid: victim, level: 'fatal', msg: 'uncaught failure, stopping' }),
    );
    expect(logOf(service)).toContainEqual(
      expect.objectContaining({ level: 'error', worker: victim, code: 1, signal: null }),
    );
  });

  it('are replaced with growing delays, until the fifth that ends soon ends the service, when no other serves (section 6)', async () => {
    const workers = await bothWorkersOf(service);
    await writeFile(noWorkers, '');
    for (const worker of workers) process.kill(worker, 'SIGKILL');
    expect(await service.ended).toBe(1);
    // Two were ended by the tests above; one that served for a minute, on a busy machine, is not counted.
    const ends = logOf(service)
      .filter(({ msg }) => msg.startsWith('a worker ended'))
      .slice(-5);
    expect(ends.map(({ level }) => level)).toEqual(['error', 'error', 'error', 'error', 'fatal']);
    expect(ends.map(({ delay_ms }) => delay_ms)).toEqual([20, 40, 80, 160, undefined]);
    expect(service.stderr()).toMatch(
      /^The worker processes end again and again right after their start; the log says why\.$/m,
    );
  });
});

describe('workers that cannot start', () => {
  it('end the start of the service with a sentence (section 6)', async () => {
    const signal = join(home, unique('no workers'));
    await writeFile(signal, '');
    const service = start({ NODE_OPTIONS: FAILING, TEST_NO_WORKERS_WHILE: signal });
    expect(await service.ended).toBe(1);
    expect(service.stderr()).toBe('A worker process ended before it was ready; the log says why.\n');
    expect(service.stdout()).not.toContain('Listening');
  });
});
