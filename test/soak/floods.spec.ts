import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { requestHead } from '../support/raw-http.js';
import {
  clientOf,
  givenIn,
  TOKEN_SIGNING_KEY,
  type AccountPair,
  type Given,
  type World,
} from '../support/service.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { spawnService, type ServiceProcess } from '../support/service-process.js';
import { waitUntil } from '../support/wait-until.js';

/** Clients of one organisation that each read the beginning of an answer and then nothing. */
const READERS = 2_000;
/** The number of them that get an answer, because each answer is in temporary files while it is sent. */
const ANSWERS_OF_ORGANISATION = 4;
const MEMORY_BYTES_MAX = 256 * 1024 * 1024;
/** Notes in each answer. */
const NOTES = 2_500;
const REQUESTS = 100;
type Account = World & { readonly ref: AccountPair };

let database: TestDatabase;
let service: ServiceProcess;
let baseUrl: string;
let given: Given;
const sockets: Socket[] = [];

beforeAll(async () => {
  database = await createDatabase();
  given = givenIn(database);
  service = spawnService({ DATABASE_URL: database.url, TOKEN_SIGNING_KEY });
  baseUrl = (await service.listening()).replace('[::1]', '127.0.0.1');
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  service.kill('SIGTERM');
  await service.ended;
  await database.drop();
});

/** Memory of the service's process, without the system's socket buffers. */
async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024;
}

/** @returns the status and headers of the answer */
function readBeginning({ ref, token }: Account): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  const path = `/v1/data-import/account-content/${ref.import_supplier}/${ref.external_account_number}/?rows=true`;
  socket.write(requestHead(`GET ${path}`, token));
  return new Promise((resolve, reject) => {
    socket.on('error', reject).once('data', (bytes) => {
      socket.pause();
      resolve(bytes.toString('latin1'));
    });
  });
}

/** Send requests of another organisation sequentially. @returns the p99 of their latencies in milliseconds */
async function p99Of({ ref, token }: Account, name: string): Promise<number> {
  const client = clientOf(baseUrl);
  const times: number[] = [];
  for (let n = 0; n < REQUESTS; n += 1) {
    const startMs = performance.now();
    const { status } = await client.post('notes/create/', token, {
      ...ref,
      notes: [{ body: `${name} ${n}` }],
    });
    times.push(performance.now() - startMs);
    expect(status).toBe(201);
  }
  return times.sort((a, b) => a - b)[Math.floor(REQUESTS * 0.99)]!;
}

it('keeps its memory and serves others while 2,000 clients of one organisation do not read (T18)', async () => {
  const flooding = await given.importedAccount();
  const other = await given.importedAccount();
  await database.sql(
    `INSERT INTO note (import_supplier_id, external_account_number, created_at, created_at_sent, body, is_pinned, import_request_id)
     SELECT s.id, $2, now(), false, repeat('x', 2000) || i, false, uuidv7()
       FROM import_supplier s, generate_series(1, ${NOTES}) AS i
      WHERE s.code = $1`,
    [flooding.supplier, flooding.ref.external_account_number],
  );
  await p99Of(other, 'warm-up');
  const quiet = await p99Of(other, 'quiet');
  const before = await residentBytes();
  let most = before;
  const heads = Promise.all(Array.from({ length: READERS }, () => readBeginning(flooding)));
  const busy = await p99Of(other, 'busy');
  const answers = await heads;
  most = Math.max(most, await residentBytes());
  const held = await p99Of(other, 'held');
  most = Math.max(most, await residentBytes());

  const refused = answers.filter((head) => head.startsWith('HTTP/1.1 503 '));
  const begun = answers.filter((head) => head.startsWith('HTTP/1.1 200 '));
  process.stdout.write(
    `${begun.length} answers begun, ${refused.length} refused; memory +${Math.round((most - before) / 1_048_576)} MiB; ` +
      `p99 of another organisation ${quiet.toFixed(1)} ms before, ${busy.toFixed(1)} ms meanwhile, ${held.toFixed(1)} ms then\n`,
  );
  expect(begun.length + refused.length).toBe(READERS);
  expect(begun).toHaveLength(ANSWERS_OF_ORGANISATION);
  for (const head of refused) expect(head).toMatch(/\r\nretry-after: \d+\r\n/i);
  expect(most - before).toBeLessThan(MEMORY_BYTES_MAX);

  for (const socket of sockets.splice(0)) socket.destroy();
  const { get } = clientOf(baseUrl);
  const { import_supplier: supplier, external_account_number: number } = flooding.ref;
  await waitUntil('the organisation is answered again', async () => {
    return (await get(`account-transfer-status/${supplier}/${number}/`, flooding.token)).status === 200;
  });
});
