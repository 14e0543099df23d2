import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { memoryLog } from '../support/memory-log.js';
import { importOutside } from '../support/outside.js';
import { requestHead } from '../support/raw-http.js';
import { startService, type TestService, type World } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const { register } = await importOutside<typeof import('prom-client')>('prom-client');

const LIST = '/v1/data-import/all-account-import-processes/';
/** The answer is larger than what the systems of both sides accept before the client has read anything. */
const ACCOUNTS = 120_000;
const STALLED_SECONDS = 2;
/**
 * How fast the slow reader reads. The system takes another megabyte or so of the answer at a time, so that this process
 * sees nothing of it for a time; only Linux shows what a client has read before, in steps of a sixteenth of its buffer, which
 * are up to 400 KB. Both happen several times in the time above.
 */
const PIECE_INTERVAL_MS = 100;
const PIECE_BYTES = process.platform === 'linux' ? 200_000 : 1_000_000;

const log = memoryLog();
const sockets: Socket[] = [];

let service: TestService;
let world: World;

beforeAll(async () => {
  service = await startService(
    { METRICS_PORT: '0' },
    { logger: log.logger, environment: { STALLED_CONNECTION_SECONDS: STALLED_SECONDS } },
  );
  world = await service.given.supplier();
  await service.database.sql(
    `INSERT INTO account_import (import_supplier_id, external_account_number)
     SELECT s.id, 'account ' || i || repeat('-', 80)
       FROM import_supplier s, generate_series(1, ${ACCOUNTS}) AS i
      WHERE s.code = $1`,
    [world.supplier],
  );
});
afterAll(async () => {
  closeSockets();
  await service.stop();
});

function closeSockets(): void {
  for (const socket of sockets.splice(0)) socket.destroy();
}

function open(to: TestService = service): Socket {
  const { hostname, port } = new URL(to.baseUrl);
  const socket = connect(Number(port), hostname).pause();
  sockets.push(socket);
  // A connection that the service closes is reset when bytes of it were not read.
  socket.on('error', () => undefined);
  return socket;
}

function requestList(id: string): Socket {
  const socket = open();
  socket.write(requestHead(`GET ${LIST}${world.supplier}/`, world.token, `X-Request-Id: ${id}`));
  return socket;
}

async function metric(line: string): Promise<number | undefined> {
  const found = (await register.metrics()).split('\n').find((one) => one.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.split(' ')[1]);
}

function logged(id: string): Record<string, unknown>[] {
  return log.lines().filter(({ request_id }) => request_id === id);
}

/** Read a piece at every interval. @returns reads the rest at once, to the end: the list */
function readSlowly(socket: Socket): () => Promise<unknown[]> {
  const chunks: Buffer[] = [];
  const timer = setInterval(() => {
    const piece = socket.read(PIECE_BYTES) as Buffer | null;
    if (piece) chunks.push(piece);
  }, PIECE_INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
    const [, body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
    return JSON.parse(body.replaceAll(/^[0-9a-f]+\r\n|\r\n[0-9a-f]+(?:\r\n|$)/g, '')) as unknown[];
  };
}

/** A client that requests the list and never reads. @returns when its connection is closed */
async function neverRead(id: string): Promise<void> {
  requestList(id);
  await waitUntil(`${id} is closed`, () => logged(id).length > 0);
}

const STALLED = 'data_import_client_connections_closed_total{reason="stalled"}';
const TOO_MANY = 'data_import_client_connections_closed_total{reason="too_many"}';

describe('a connection', () => {
  it('is closed when its client reads nothing of the answer for a time, but not when it reads slowly', async () => {
    expect(await metric(STALLED)).toBe(0);
    const readRest = readSlowly(requestList('slow'));
    for (const id of ['first', 'second']) await neverRead(id);
    expect(logged('first')).toMatchObject([{ msg: 'aborted by the service', level: 'info' }]);
    expect(logged('slow')).toEqual([]);
    expect(await readRest()).toHaveLength(ACCOUNTS);
    expect(await metric(STALLED)).toBe(2);
  });

  it('is not closed while its request waits for the database', async () => {
    const { token, ref } = await service.given.importedAccount();
    const release = await service.database.lock('note');
    const answer = service.post('notes/create/', token, { ...ref, notes: [{ body: 'Waiting' }] });
    await service.database.blocked(1);
    await neverRead('meanwhile');
    await release();
    expect((await answer).status).toBe(201);
  });
});

describe('a service with as many connections as CONNECTIONS_MAX', () => {
  it('closes further ones at once, and accepts them again later', async () => {
    const ownLog = memoryLog();
    const small = await startService({ CONNECTIONS_MAX: '2', METRICS_PORT: '0' }, { logger: ownLog.logger });
    try {
      const [first] = [open(small), open(small)];
      await waitUntil('both are open', async () => (await metric('data_import_client_connections')) === 2);
      await Promise.all([open(small), open(small)].map((further) => once(further.resume(), 'close')));
      expect(await metric(TOO_MANY)).toBe(2);
      const warnings = ownLog.lines().filter(({ level }) => level === 'warn');
      expect(warnings).toMatchObject([{ connections: 2 }]);
      first.destroy();
      await waitUntil('one is closed', async () => (await metric('data_import_client_connections')) === 1);
      expect((await small.call('/nowhere')).status).toBe(404);
    } finally {
      closeSockets();
      await small.stop();
    }
  });
});
