import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Budget, HOLDER_MAX, type Holding, type Kind } from '../../../../src/infrastructure/limits/budget.js';
import { signInAsOperator, adminOf } from '../../../support/console.js';
import { expectError } from '../../../support/expect-error.js';
import { memoryLog } from '../../../support/memory-log.js';
import { namelessFiles } from '../../../support/nameless-files.js';
import { expectRawError, requestHead, type RawReply } from '../../../support/raw-http.js';
import { startService, unique, type AccountPair, type Reply, type World } from '../../../support/service.js';
import { waitUntil } from '../../../support/wait-until.js';
import { inBlock, setUp } from '../../../support/set-up.js';

const PREFIX = '/v1/data-import/';
const POSTS = [
  'notes/create/',
  'transactions/create/',
  'historical-statements/create/',
  'payment-instruction/create/',
];
const JSON_TYPE = 'Content-Type: application/json';

const log = memoryLog();
const service = setUp(() =>
  startService({ CONSOLE: 'on', REQUESTS_PER_MINUTE: '1000' }, { logger: log.logger }),
);
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await waitUntil('nothing is pending', () => isNothingInHand());
});

const budget = (): Budget => service.app.get(Budget);
const isNothingInHand = (): boolean => Object.values(budget().inHand).every((amount) => amount === 0);

type Account = World & { readonly ref: AccountPair; readonly token: string };

const newAccount = (): Promise<Account> => service.given.importedAccount();
const note = (ref: AccountPair): object => ({ ...ref, notes: [{ body: 'A note' }] });
const postNote = ({ token, ref }: Account, query = ''): Promise<Reply> =>
  service.post(`notes/create/${query}`, token, note(ref));
const pathOf = (endpoint: string, { ref }: Account): string =>
  `${endpoint}/${ref.import_supplier}/${ref.external_account_number}/`;
const getStatus = (account: Account): Promise<Reply> =>
  service.get(pathOf('account-transfer-status', account), account.token);

/** Use up a holder's share. @returns a function that releases it */
function fill(holder: string, ...kinds: Kind[]): () => void {
  const holdings: Holding[] = [];
  const most = Math.min(...kinds.map((kind) => HOLDER_MAX[kind]));
  for (let n = 0; n < most; n += 1) holdings.push(budget().admit(holder, kinds));
  return () => {
    for (const holding of holdings) holding.release();
  };
}

/** Open a connection that sends data and reads nothing. */
function send(...parts: string[]): Socket {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname).pause();
  sockets.push(socket);
  socket.on('error', () => undefined).write(parts.join(''));
  return socket;
}

/** Send the headers of an import without its body. @returns the answer, which arrives only if the import is refused */
async function headersOnly({ token }: Account, path = 'notes/create/', length = 100): Promise<RawReply> {
  const request = httpRequest(service.baseUrl + PREFIX + path, {
    method: 'POST',
    headers: {
      authorization: `Token ${token}`,
      'content-type': 'application/json',
      'content-length': length,
    },
  });
  request.flushHeaders();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const text = (await response.setEncoding('utf8').toArray()).join('');
  request.destroy();
  return {
    status: response.statusCode ?? NaN,
    headers: new Headers(response.headers as Record<string, string>),
    text,
  };
}

function expectRefused(reply: RawReply): void {
  expectRawError(reply, 503, 'service_unavailable');
  expect(reply.headers.get('retry-after')).toMatch(/^[1-5]$/);
}

describe('an organisation with 64 pending imports', () => {
  it('is refused a further one on its headers, while others are served (T18)', async () => {
    const [busy, other] = [await newAccount(), await newAccount()];
    const release = await service.database.lock('note');
    // Each dry run has its own query, so the organisation would occupy every connection.
    const running = Array.from({ length: 64 }, () => postNote(busy, '?dry_run=true'));
    await service.database.blocked(5);
    await waitUntil('all are pending', () => budget().inHand.imports === 64);

    for (const path of POSTS) expectRefused(await headersOnly(busy, path));
    const dryRun = await headersOnly(busy, 'notes/create/?dry_run=true');
    expectRefused(dryRun);
    expect(dryRun.headers.get('x-dry-run')).toBe('true');

    const statements = [
      { statement_id: 's', bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31' },
    ];
    const imported = await service.post('historical-statements/create/', other.token, {
      ...other.ref,
      statements,
    });
    expect(imported.status).toBe(201);
    expect((await getStatus(other)).status).toBe(200);
    expect((await getStatus(busy)).status).toBe(200);
    const query = '{ viewer { importSuppliers { code } } }';
    const viewer = await service.post('/v1/graphql/', other.token, { query });
    expect(viewer.body).toMatchObject({ data: { viewer: { importSuppliers: [{ code: other.supplier }] } } });
    expect(await service.database.blocked(5)).toHaveLength(5);

    await release();
    for (const reply of await Promise.all(running)) expect(reply.status).toBe(201);
    expect((await postNote(busy)).status).toBe(201);
  });

  it('is refused while imports of disconnected clients still run (T18)', async () => {
    const account = await newAccount();
    const release = await service.database.lock('note');
    const leave = new AbortController();
    const left = Array.from({ length: 64 }, () =>
      service.call('notes/create/?dry_run=true', {
        method: 'POST',
        headers: { authorization: `Token ${account.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(note(account.ref)),
        signal: leave.signal,
      }),
    );
    await service.database.blocked(5);
    await waitUntil('all are pending', () => budget().inHand.imports === 64);
    const aborted = (): number => log.lines().filter(({ msg }) => msg === 'aborted by the client').length;
    const before = aborted();
    leave.abort();
    await Promise.allSettled(left);
    await waitUntil('the service has noticed', () => aborted() === before + 64);
    expectRefused(await headersOnly(account));
    await release();
    await waitUntil('nothing is pending', isNothingInHand);
    expect((await postNote(account)).status).toBe(201);
  });

  it('is neither logged as a failure nor counted against its requests a minute (T18, A9)', async () => {
    await using limited = inBlock(
      await startService({ REQUESTS_PER_MINUTE: '3' }, { database: service.database, logger: log.logger }),
    );
    const account = await newAccount();
    const budgetOfLimited = limited.app.get(Budget);
    const holdings = Array.from({ length: 64 }, () =>
      budgetOfLimited.admit(account.organisationId, ['imports']),
    );
    const requestId = unique('refused');
    for (let count = 0; count < 5; count += 1) {
      const reply = await limited.call('notes/create/', {
        method: 'POST',
        headers: { authorization: `Token ${account.token}`, 'x-request-id': requestId },
      });
      expectError(reply, 503, 'service_unavailable', []);
    }
    for (const holding of holdings) holding.release();
    for (const status of [201, 201, 201, 429]) {
      expect((await limited.post('notes/create/', account.token, note(account.ref))).status).toBe(status);
    }
    const lines = log.lines().filter(({ request_id }) => request_id === requestId);
    expect(lines).toHaveLength(5);
    for (const line of lines) expect(line).toMatchObject({ level: 'info', msg: 'answered', status: 503 });
  });
});

describe('an organisation with 64 other pending requests', () => {
  it('is refused a further one but may import, while others are served (T18)', async () => {
    const [busy, other] = [await newAccount(), await newAccount()];
    const release = await service.database.lock('transaction');
    const running = Array.from({ length: 64 }, () =>
      service.get(pathOf('account-content', busy), busy.token),
    );
    await waitUntil('all are pending', () => budget().inHand.requests === 64);
    const refused = await getStatus(busy);
    expectError(refused, 503, 'service_unavailable', []);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-5]$/);
    expect((await postNote(busy)).status).toBe(201);
    expect((await getStatus(other)).status).toBe(200);
    expect((await postNote(other)).status).toBe(201);
    await release();
    for (const reply of await Promise.all(running)) expect(reply.status).toBe(200);
    expect((await getStatus(busy)).status).toBe(200);
  });
});

describe('the bodies of an organisation', () => {
  it.each([
    ['that say they are 10 MiB', 'Content-Length: 10485760'],
    ['of unknown length, which count as the largest', 'Transfer-Encoding: chunked'],
    ['that say they are 20 MiB', 'Content-Length: 20971520'],
  ])(
    'are limited to 64 MiB: that many %s are received concurrently, and a further one is refused (T18)',
    async (_title, length) => {
      const count = 6;
      const [account, other] = [await newAccount(), await newAccount()];
      const head = requestHead(`POST ${PREFIX}notes/create/`, account.token, JSON_TYPE, length);
      // A body that is too large is answered immediately, and counts until its connection has ended.
      const begun = Array.from({ length: count }, () =>
        send(head, length.includes('chunked') ? '1\r\n{\r\n' : '{'),
      );
      await waitUntil('all are pending', () => budget().inHand.imports === count);
      expectRefused(await headersOnly(account, 'notes/create/', 5_000_000));
      expect((await postNote(other)).status).toBe(201);
      // There is room for a small one.
      expect((await postNote(account)).status).toBe(201);
      begun[0]!.destroy();
      await waitUntil('one is no longer pending', () => budget().inHand.imports === count - 1);
    },
  );
});

describe('an answer that is not read', () => {
  /** An account with 10 MB of notes: more than the socket buffers of both sides hold. */
  async function largeAccount(): Promise<Account> {
    const account = await newAccount();
    await service.database.sql(
      `INSERT INTO note (import_supplier_id, external_account_number, created_at, created_at_sent, body, is_pinned,
                         document_paths, document_locations, import_request_id)
       SELECT s.id, $2, now(), false, repeat('x', 2000) || i, false, '{}', '{}', uuidv7()
         FROM import_supplier s, generate_series(1, 5000) AS i
        WHERE s.code = $1`,
      [account.supplier, account.ref.external_account_number],
    );
    return account;
  }
  const rowsPath = (account: Account): string => `${pathOf('account-content', account)}?rows=true`;
  const rowsHead = (account: Account): string =>
    requestHead(`GET ${PREFIX}${rowsPath(account)}`, account.token);

  it('is one of at most four in an organisation’s temporary files, until it is read or its client disconnects (T18)', async () => {
    const [account, small] = [await largeAccount(), await newAccount()];
    const before = namelessFiles();
    const readers = Array.from({ length: 4 }, () => send(rowsHead(account)));
    await waitUntil('all are in files', () => budget().inHand.spooled === 4);
    expectError(await service.get(rowsPath(account), account.token), 503, 'service_unavailable', []);
    expect((await getStatus(account)).status).toBe(200);
    expect((await service.get(rowsPath(small), small.token)).status).toBe(200);
    await readers[0]!.toArray();
    await waitUntil('one is no longer pending', () => budget().inHand.spooled === 3);
    expect((await service.get(rowsPath(account), account.token)).status).toBe(200);
    for (const reader of readers) reader.destroy();
    await waitUntil('the files are removed', () => namelessFiles() === before);
  });

  it('does not stay pending when the client of pipelined requests disconnects, and each is logged (T18, O1)', async () => {
    const account = await largeAccount();
    const before = namelessFiles();
    const id = unique('pipelined');
    const head = rowsHead(account).replace('Connection: close', `X-Request-Id: ${id}`);
    const socket = send(head, head, head);
    await waitUntil('all are in files', () => budget().inHand.spooled === 3);
    expect(budget().inHand.requests).toBe(3);
    socket.destroy();
    await waitUntil('nothing is pending', isNothingInHand);
    await waitUntil('the files are removed', () => namelessFiles() === before);
    const lines = log.lines().filter(({ request_id }) => request_id === id);
    expect(lines.map(({ msg }) => msg)).toEqual(Array(3).fill('aborted by the client'));
  });
});

describe('a request whose client disconnects', () => {
  it.each([
    ['before its body is complete', 'Content-Length: 1000', '{"a":'],
    ['with a chunked body that ends in the middle', 'Transfer-Encoding: chunked', '5\r\n{"a":\r\n'],
    ['when everything was sent', 'Content-Length: 2', '{}'],
  ])('does not stay pending: %s (T18)', async (_title, length, body) => {
    const { token } = await newAccount();
    const head = requestHead(`POST ${PREFIX}notes/create/`, token, JSON_TYPE, length);
    for (let n = 0; n < 20; n += 1) {
      const socket = send(head, body);
      for (let turns = 0; turns < n; turns += 1) await turn();
      socket.destroy();
    }
    await waitUntil('nothing is pending', isNothingInHand);
  });
});

describe('a viewer of the console', () => {
  it('is refused pages beyond the organisation’s share, with a page that shows when to return (T18, C2)', async () => {
    const world = await service.given.supplier();
    const [one, another] = [await adminOf(service, world), await adminOf(service, world)];
    const other = await adminOf(service, await service.given.supplier());
    const makeRoom = fill(world.organisationId, 'requests');
    for (const viewer of [one, another]) {
      const refused = await viewer.get('/console/');
      expect(refused.status).toBe(503);
      expect(refused.text).toContain('Too many requests of the organisation are being answered');
      expect(refused.headers.get('retry-after')).toMatch(/^[1-5]$/);
    }
    expect((await other.get('/console/')).status).toBe(200);
    makeRoom();
    expect((await one.get('/console/')).status).toBe(200);
  });

  it('is refused pages beyond the organisation’s bytes (T18)', async () => {
    const world = await service.given.supplier();
    const viewer = await adminOf(service, world);
    const holding = budget().admit(world.organisationId, ['requests'], budget().holderBytesMax);
    expect((await viewer.get('/console/')).text).toContain('Too many bytes of the organisation');
    holding.release();
    expect((await viewer.get('/console/')).status).toBe(200);
  });

  it('has a common share with all operators, if it is an operator (T18)', async () => {
    const operators = [await signInAsOperator(service), await signInAsOperator(service)];
    const viewer = await adminOf(service, await service.given.supplier());
    const makeRoom = fill('people of the platform', 'requests');
    for (const operator of operators) expect((await operator.get('/console/')).status).toBe(503);
    expect((await viewer.get('/console/')).status).toBe(200);
    makeRoom();
    for (const operator of operators) expect((await operator.get('/console/')).status).toBe(200);
  });

  it('is refused more than twelve concurrent downloads of documents, but no pages (T18)', async () => {
    const account = await newAccount();
    const viewer = await adminOf(service, account);
    const document = `/console/suppliers/${account.ref.import_supplier}/accounts/${account.ref.external_account_number}/documents/a.pdf`;
    const makeRoom = fill(account.organisationId, 'requests', 'downloads');
    expect((await viewer.get(document)).text).toContain('Too many documents of the organisation');
    expect((await viewer.get('/console/')).status).toBe(200);
    makeRoom();
    expect((await viewer.get(document)).status).toBe(404);
  });

  it('waits for pages of its own organisation, but not for those of another one (T18)', async () => {
    const [world, otherWorld] = [await service.given.supplier(), await service.given.supplier()];
    const [viewer, other] = [await adminOf(service, world), await adminOf(service, otherWorld)];
    const release = await service.database.lock('supplier_minute');
    const page = `/console/suppliers/${world.supplier}`;
    const running = Promise.all([1, 2].map(() => viewer.get(page)));
    await service.database.blocked(2);
    // The page reads no locked table.
    const waiting = viewer.get(`${page}/failures`);
    const first = Promise.race([
      waiting.then(() => 'own'),
      other.get('/console/requests').then(() => 'other'),
    ]);
    expect(await first.finally(release)).toBe('other');
    for (const { status } of [...(await running), await waiting]) expect(status).toBe(200);
  });

  it('counts against the organisation’s requests per minute, and an operator does not (A9)', async () => {
    await using limited = inBlock(
      await startService({ REQUESTS_PER_MINUTE: '3', CONSOLE: 'on' }, { database: service.database }),
    );
    const { organisationId } = await service.given.supplier();
    const viewer = await adminOf(limited, { organisationId });
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await viewer.get('/console/')).status);
    expect(statuses.slice(0, 1)).toEqual([200]);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('an overloaded process', () => {
  it('answers 503 early, in the console with a page, and answers probes normally (T18, T2, T3)', async () => {
    const ownLog = memoryLog();
    await using overloaded = inBlock(
      await startService(
        { CONSOLE: 'on' },
        {
          database: service.database,
          logger: ownLog.logger,
          pressure: { maxEventLoopDelay: 500, maxHeapUsedBytes: 1 },
        },
      ),
    );
    await waitUntil('the heap was looked at', async () => (await overloaded.call('/nowhere')).status === 503);
    const headers = { 'x-request-id': unique('overloaded') };
    const refused = await overloaded.call('notes/create/', { method: 'POST', headers, body: '{}' });
    expectError(refused, 503, 'service_unavailable', []);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-5]$/);
    expect(refused.headers.get('x-request-id')).toBe(headers['x-request-id']);
    const lines = ownLog.lines().filter(({ request_id }) => request_id === headers['x-request-id']);
    expect(lines).toMatchObject([{ level: 'info', msg: 'answered', status: 503 }]);
    const page = await overloaded.call<string>('/console/');
    expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
      status: 503,
      type: 'text/html; charset=utf-8',
    });
    expect(page.body).toContain('The service is overloaded');
    for (const probe of ['live', 'ready'])
      expect((await overloaded.call(`/health/${probe}`)).status).toBe(200);
  });

  it('is one whose event loop is delayed for some time (T18)', async () => {
    const late = await startService(
      {},
      { database: service.database, pressure: { maxEventLoopDelay: 100, maxHeapUsedBytes: Infinity } },
    );
    let isBusy = true;
    const occupy = (): void => {
      const endMs = performance.now() + 300;
      while (performance.now() < endMs);
      if (isBusy) setTimeout(occupy);
    };
    const status = async (): Promise<number> => (await late.call('/nowhere')).status;
    try {
      occupy();
      await waitUntil('it answers 503', async () => (await status()) === 503);
      isBusy = false;
      await waitUntil('it is as before', async () => (await status()) === 404);
    } finally {
      isBusy = false;
      await late.stop();
    }
  });
});
