import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import type { ServiceTimes } from '../../src/apps/http/start/run-service.js';
import { MIGRATIONS } from '../../src/infrastructure/database/migrations/index.js';
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { expectError } from '../support/expect-error.js';
import { freePort } from '../support/free-port.js';
import { expectRawError, requestHead, sendRaw } from '../support/raw-http.js';
import {
  isAlive,
  logOf,
  refusesConnections,
  spawnService,
  type ServiceProcess,
} from '../support/service-process.js';
import { clientOf, givenIn, TOKEN_SIGNING_KEY, unique, type Reply } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { setUp } from '../support/set-up.js';

const FAILING = `--import=${pathToFileURL(resolve('test/support/failing-process.mjs')).href}`;
/** A time longer than any test. */
const FOR_EVER = '3600';
/** Shorter than the service's own timeouts. The first is long enough for the requests that must be answered before it. */
const TIMES = { stopTimeoutMs: 6_000, cutOffTimeoutMs: 200 };
/** Longer than any answer takes, even on a busy machine that loads the application meanwhile. */
const ANSWER_MAX_MS = 30_000;

let home: string;
const started: ServiceProcess[] = [];

function start(
  database: TestDatabase,
  settings: Record<string, string>,
  times?: ServiceTimes,
): ServiceProcess {
  const service = spawnService(
    {
      DATABASE_URL: database.url,
      TOKEN_SIGNING_KEY,
      DATA_DIR: join(home, 'data'),
      LOG_LEVEL: 'info',
      NODE_OPTIONS: FAILING,
      ...settings,
    },
    times,
  );
  started.push(service);
  return service;
}

/** The ids of the processes of a service that have logged anything. */
function processesOf(service: ServiceProcess): number[] {
  return [...new Set(logOf(service).map(({ pid }) => pid))];
}

/** Send a request on a new connection. */
function ask(url: string, path: string): Promise<Reply> {
  const signal = AbortSignal.timeout(ANSWER_MAX_MS);
  return clientOf(url).call(path, { headers: { connection: 'close' }, signal });
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'data-import-health-'));
});
afterAll(async () => {
  for (const service of started) {
    service.kill('SIGKILL');
    await service.ended;
  }
  await rm(home, { recursive: true, force: true });
});

/** The tests build on each other: together they cover the life of one service. */
describe('a service', () => {
  let database: TestDatabase;
  let other: pg.Client;
  let service: ServiceProcess;
  let url: string;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    // The instances migrate the database one after the other.
    other = await database.connect();
    await other.query('SELECT pg_advisory_lock(7300)');
    const port = await freePort();
    const settings = { PORT: String(port), DRAIN_SECONDS: '1' };
    service = start(database, settings, TIMES);
    url = `http://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    service.kill('SIGKILL');
    await other.end();
    await database.drop();
  });

  it('is alive, not ready and answers 503 until it serves (O1)', async () => {
    await waitUntil('the service answers', () =>
      ask(url, '/health/live').then(
        ({ status, body }) => status === 200 && (body as { status: string }).status === 'ok',
        () => false,
      ),
    );
    for (const path of ['/health/ready', '/health/ready/', '/health/ready?from=probe']) {
      expect(await ask(url, path)).toMatchObject({ status: 503, body: { status: 'starting' } });
    }
    const body = Buffer.alloc(4_000_000, ' ');
    const head = requestHead('POST /v1/data-import/notes/create/', 'token', `Content-Length: ${body.length}`);
    const refused = await sendRaw(url, head, body);
    expectRawError(refused, 503, 'service_unavailable');
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(refused.headers.get('connection')).toBe('close');

    await other.end();
    expect(await statusesUntilReady(url)).toEqual([503, 200]);
    expect(await ask(url, '/health/ready/')).toMatchObject({ body: { status: 'ok', database: 'up' } });
    expectError(await ask(url, '/v1/data-import/notes/'), 404, 'not_found', []);
    await service.listening();
  });

  it('creates nothing but the schema, neither in the database nor in DATA_DIR (section 6)', async () => {
    expect(service.stdout()).not.toContain('PostgreSQL');
    expect(await readdir(home)).toEqual([]);
    const applied = await database.sql<{ name: string }>('SELECT name FROM migration ORDER BY id');
    expect(applied.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
    for (const table of ['organisation', 'api_key', 'import_supplier', 'account_import']) {
      expect(await database.sql(`SELECT '${table}' AS not_empty FROM ${table}`)).toEqual([]);
    }
  });

  it('serves for DRAIN_SECONDS, answers the running requests after that time, cuts off what takes longer than the stop timeout, and ends with exit code 0 and no process left (O4, section 6)', async () => {
    const { token, ref } = await givenIn(database).importedAccount();
    const [release, never] = [await database.lock('note'), await database.lock('transaction')];
    const payload = { ...ref, notes: [{ body: 'Sent before the signal' }] };
    const running = clientOf(url).post('notes/create/', token, payload);
    await database.blocked(1);
    const transaction = { transaction_id: unique('transaction'), transaction_date: '2026-02-03' };
    const charge = { ...transaction, amount: 1, type: 'CHARGE', reason: 'IMPORTED_CHARGE' };
    const lasting = { ...ref, transactions: [charge] };
    const cutOff = clientOf(url).post('transactions/create/', token, lasting);
    const toldAtMs = performance.now();
    const cutOffAfterMs = cutOff.then(
      () => 0,
      () => performance.now() - toldAtMs,
    );
    await database.blocked(2);
    service.kill('SIGTERM');
    await waitUntil('nobody listens', () => refusesConnections(url));
    expect(performance.now() - toldAtMs).toBeGreaterThanOrEqual(1_000);
    await release();
    expect((await running).status).toBe(201);
    expect(await service.ended).toBe(0);
    // No request is cut off before the whole timeout has passed.
    expect(await cutOffAfterMs).toBeGreaterThanOrEqual(1_000 + TIMES.stopTimeoutMs);
    await never();
    expect(service.stdout()).toMatch(/^Stopping in 1 s; .*\nStopping …\n$/m);
    expect(processesOf(service).filter(isAlive)).toEqual([]);
  });
});

/** The distinct statuses of `/health/ready` until the service is ready; 0 for a refused connection. */
async function statusesUntilReady(url: string): Promise<number[]> {
  const seen = new Set<number>();
  await waitUntil('the service is ready', async () => {
    const { status } = await ask(url, '/health/ready').catch(() => ({ status: 0 }));
    seen.add(status);
    return status === 200;
  });
  return [...seen];
}

describe('a service that is told to stop', () => {
  const database = setUp(createDatabase);

  const untilStopping = (url: string): Promise<void> =>
    waitUntil('it tells that it stops', async () => (await ask(url, '/health/ready')).status === 503);

  it('serves for DRAIN_SECONDS, whatever other signals it gets, and ends its connections (O4)', async () => {
    const service = start(database, { DRAIN_SECONDS: FOR_EVER });
    const url = await service.listening();
    const { token, ref } = await givenIn(database).importedAccount();
    service.kill('SIGTERM');
    await untilStopping(url);
    service.kill('SIGTERM');
    service.kill('SIGINT');
    expect(await ask(url, '/health/ready')).toMatchObject({ status: 503, body: { status: 'stopping' } });
    expect((await ask(url, '/health/live')).status).toBe(200);
    const post = (body: string): Promise<Reply> =>
      clientOf(url).post('notes/create/', token, { ...ref, notes: [{ body }] });
    const reply = await post('During the drain');
    expect(reply.status).toBe(201);
    expect(reply.headers.get('connection')).toBe('close');
    const release = await database.lock('note');
    const running = post('Running');
    await database.blocked(1);
    // A process with an uncaught error answers its running requests and then stops serving.
    service.kill('SIGWINCH');
    await waitUntil('nobody listens', () => refusesConnections(url));
    await release();
    expect((await running).status).toBe(201);
    expect(await service.ended).toBe(1);
    expect(service.stderr()).toContain('A rejection on purpose.');
    expect(processesOf(service).filter(isAlive)).toEqual([]);
  });
});
