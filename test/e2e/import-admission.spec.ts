import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Budget } from '../../src/budget/budget.js';
import { expectError } from '../support/expect-error.js';
import { memoryLog } from '../support/memory-log.js';
import { expectRawError, requestHead, type RawReply } from '../support/raw-http.js';
import { startService, unique, type AccountPair, type Reply, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const { jest } = import.meta;

const IMPORTS_MAX = 12;
const PREFIX = '/v1/data-import/';
const POSTS = [
  'notes/create/',
  'transactions/create/',
  'historical-statements/create/',
  'payment-instruction/create/',
];

const log = memoryLog();

let service: TestService;

beforeAll(async () => {
  const settings = { IMPORTS_PER_ORGANISATION_MAX: String(IMPORTS_MAX), REQUESTS_PER_MINUTE: '1000' };
  service = await startService(settings, { logger: log.logger });
});
afterAll(async () => {
  await service.stop();
});

type Account = Awaited<ReturnType<TestService['given']['importedAccount']>>;

/** An account whose organisation and supplier no other test has. */
const newAccount = (): Promise<Account> => service.given.importedAccount();

const note = (ref: AccountPair): object => ({ ...ref, notes: [{ body: 'A note' }] });
const postNote = ({ token, ref }: Account): Promise<Reply> => service.post('notes/create/', token, note(ref));

/** Send the headers of an import without its body. @returns the answer, which comes only when the import is refused */
async function headersOnly({ token }: Account, path = 'notes/create/'): Promise<RawReply> {
  const request = httpRequest(service.baseUrl + PREFIX + path, {
    method: 'POST',
    headers: { authorization: `Token ${token}`, 'content-type': 'application/json', 'content-length': 100 },
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

/** Whether a further import is refused; one that is accepted has the wrong media type. */
async function isRefused({ token }: Account, { call }: TestService = service): Promise<boolean> {
  const headers = { authorization: `Token ${token}`, 'content-type': 'text/plain' };
  const { status } = await call('notes/create/', { method: 'POST', headers, body: 'text' });
  expect([415, 503]).toContain(status);
  return status === 503;
}

/** Open connections with imports whose bodies do not come, and wait until all of them are counted. */
async function withoutBody(
  account: Account,
  count: number,
  length = 'Content-Length: 100',
): Promise<Socket[]> {
  const { hostname, port } = new URL(service.baseUrl);
  const head = requestHead(
    `POST ${PREFIX}notes/create/`,
    account.token,
    'Content-Type: application/json',
    length,
  );
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname));
  const admit = jest.spyOn(service.app.get(Budget), 'admit');
  for (const socket of sockets) socket.write(head);
  const counted = (): number => admit.mock.calls.filter(([, wanted]) => wanted.imports === 1).length;
  await waitUntil('all of them are counted', () => counted() === count);
  admit.mockRestore();
  expect(await isRefused(account)).toBe(true);
  return sockets;
}

function expectRefused(reply: RawReply): void {
  expectRawError(reply, 503, 'service_unavailable');
  expect(reply.headers.get('retry-after')).toMatch(/^([1-9]|[12]\d|30)$/);
}

describe('an organisation with as many imports as it may have', () => {
  it('is refused a further one from its headers, and no other organisation waits for it', async () => {
    const busy = await newAccount();
    const other = await newAccount();
    const release = await service.database.lock('note');
    // Each dry run has a query of its own, so the organisation would occupy every connection.
    const running = Array.from({ length: IMPORTS_MAX }, () =>
      service.post('notes/create/?dry_run=true', busy.token, note(busy.ref)),
    );
    await service.database.blocked(5);

    for (const path of POSTS) expectRefused(await headersOnly(busy, path));
    const dryRun = await headersOnly(busy, 'notes/create/?dry_run=true');
    expectRefused(dryRun);
    expect(dryRun.headers.get('x-dry-run')).toBe('true');

    const { import_supplier: supplier, external_account_number: number } = other.ref;
    const statements = [
      { statement_id: 's', bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31' },
    ];
    const imported = await service.post('historical-statements/create/', other.token, {
      ...other.ref,
      statements,
    });
    expect(imported.status).toBe(201);
    expect((await service.get(`account-transfer-status/${supplier}/${number}/`, other.token)).status).toBe(
      200,
    );
    expect((await service.get(`all-account-import-processes/${supplier}/`, other.token)).status).toBe(200);
    const query = '{ viewer { importSuppliers { code } } }';
    const viewer = await service.call('/v1/graphql/', {
      method: 'POST',
      headers: { authorization: `Token ${other.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect(viewer.body).toMatchObject({ data: { viewer: { importSuppliers: [{ code: supplier }] } } });
    // Its own reads are answered too.
    expect((await service.get(`all-account-import-processes/${busy.supplier}/`, busy.token)).status).toBe(
      200,
    );
    expect(await service.database.blocked(5)).toHaveLength(5);

    await release();
    for (const reply of await Promise.all(running)) expect(reply.status).toBe(201);
    expect((await postNote(busy)).status).toBe(201);
  });

  it('may send another one when a client has left before the body was complete', async () => {
    const account = await newAccount();
    const [first, ...others] = await withoutBody(account, IMPORTS_MAX);
    expectError(await postNote(account), 503, 'service_unavailable', []);
    first!.destroy();
    await waitUntil('another import is accepted', async () => !(await isRefused(account)));
    for (const socket of others) socket.destroy();
    for (const socket of await withoutBody(account, IMPORTS_MAX)) socket.destroy();
  });

  it('may not while its imports still run whose clients have left', async () => {
    const ownLog = memoryLog();
    const settings = { IMPORTS_PER_ORGANISATION_MAX: '2' };
    const small = await startService(settings, { database: service.database, logger: ownLog.logger });
    try {
      const account = await newAccount();
      const release = await service.database.lock('note');
      const leave = new AbortController();
      const left = Promise.allSettled(
        [1, 2].map(() =>
          small.call('notes/create/?dry_run=true', {
            method: 'POST',
            headers: { authorization: `Token ${account.token}`, 'content-type': 'application/json' },
            body: JSON.stringify(note(account.ref)),
            signal: leave.signal,
          }),
        ),
      );
      await service.database.blocked(2);
      leave.abort();
      await left;
      await waitUntil('the service has noticed', () => {
        const aborted = ownLog.lines().filter(({ msg }) => msg === 'aborted by the client');
        return aborted.length === 2;
      });
      expect(await isRefused(account, small)).toBe(true);
      await release();
      await waitUntil('another import is accepted', async () => !(await isRefused(account, small)));
    } finally {
      await small.stop();
    }
  });

  it('may have eight bodies of unknown length, which count as the largest', async () => {
    const account = await newAccount();
    const sockets = await withoutBody(account, 8, 'Transfer-Encoding: chunked');
    expectRefused(await headersOnly(account));
    for (const socket of sockets) socket.destroy();
    await waitUntil('another import is accepted', async () => !(await isRefused(account)));
  });

  it('is neither logged as a failure nor counted against its requests a minute', async () => {
    const limited = await startService(
      { IMPORTS_PER_ORGANISATION_MAX: '1', REQUESTS_PER_MINUTE: '3' },
      { database: service.database, logger: log.logger },
    );
    try {
      const account = await newAccount();
      const release = await service.database.lock('note');
      const running = limited.post('notes/create/', account.token, note(account.ref));
      await service.database.blocked(1);
      const requestId = unique('refused');
      for (let count = 0; count < 5; count += 1) {
        const reply = await limited.call('notes/create/', {
          method: 'POST',
          headers: { authorization: `Token ${account.token}`, 'x-request-id': requestId },
        });
        expectError(reply, 503, 'service_unavailable', []);
      }
      await release();
      expect((await running).status).toBe(201);
      for (const status of [201, 201, 429]) {
        expect((await limited.post('notes/create/', account.token, note(account.ref))).status).toBe(status);
      }
      const lines = log.lines().filter(({ request_id }) => request_id === requestId);
      expect(lines).toHaveLength(5);
      for (const line of lines) expect(line).toMatchObject({ level: 'info', msg: 'answered', status: 503 });
    } finally {
      await limited.stop();
    }
  });
});
