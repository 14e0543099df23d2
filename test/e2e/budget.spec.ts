import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Budget, RESOURCES, type Amounts } from '../../src/budget/budget.js';
import { signInAsAdmin, type ConsoleClient } from '../support/console.js';
import { expectError } from '../support/expect-error.js';
import { issueKey } from '../support/graphql.js';
import { expectRawError, requestHead, sendRaw } from '../support/raw-http.js';
import { startService, type AccountPair, type TestService, type World } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const { jest } = import.meta;

/** A quarter of them, four, is an organisation's. */
const ANSWERS_MAX = '16';
const ROWS = 10_000;

let service: TestService;
const sockets: Socket[] = [];

beforeAll(async () => {
  // Of 16 connections four are one organisation's.
  service = await startService({ ANSWERS_MAX, CONNECTIONS_MAX: '16', CONSOLE: 'on' });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await waitUntil('nothing is held', () => held() === '');
});
afterAll(() => service.stop());

const budget = (): Budget => service.app.get(Budget);

/** What is held beside connections, by name. */
function held(): string {
  return RESOURCES.filter(
    (resource) => resource !== 'connections' && budget().allotments[resource].usedShare !== 0,
  ).join();
}

type Account = World & { readonly ref: AccountPair; readonly token: string };

/** An account with notes of 20 MB in all. */
async function largeAccount(): Promise<Account> {
  const account = await service.given.importedAccount();
  await service.database.sql(
    `INSERT INTO note (import_supplier_id, external_account_number, created_at, created_at_sent, body, is_pinned,
                       document_paths, document_locations, import_request_id)
     SELECT s.id, $2, now(), false, repeat('x', 2000) || i, false, '{}', '{}', uuidv7()
       FROM import_supplier s, generate_series(1, ${ROWS}) AS i
      WHERE s.code = $1`,
    [account.supplier, account.ref.external_account_number],
  );
  return account;
}

const rowsPath = ({ ref }: Account): string =>
  `/v1/data-import/account-content/${ref.import_supplier}/${ref.external_account_number}/?rows=true`;
const statusPath = ({ ref }: Account): string =>
  `/v1/data-import/account-transfer-status/${ref.import_supplier}/${ref.external_account_number}/`;

/** Request something and read nothing of the answer. */
function request(path: string, token: string): Socket {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname).pause();
  sockets.push(socket);
  socket.on('error', () => undefined).write(requestHead(`GET ${path}`, token));
  return socket;
}

/** Begin answers that nobody reads, and wait until each of them is being sent. */
async function slowReaders(account: Account, count: number): Promise<void> {
  const admit = jest.spyOn(budget(), 'admit');
  const begun = (): number => admit.mock.calls.filter(([, wanted]) => isAnswer(wanted)).length;
  for (let n = 0; n < count; n += 1) request(rowsPath(account), account.token);
  await waitUntil('all have been admitted', () => begun() === count);
  admit.mockRestore();
}

const isAnswer = (wanted: Amounts): boolean => wanted.answers === 1;

describe('an organisation whose answers are not read', () => {
  it('gets no further one, and another organisation is answered, until they are read (T18)', async () => {
    const flooding = await largeAccount();
    const other = await service.given.importedAccount();
    await slowReaders(flooding, 4);
    const refused = await service.call(statusPath(flooding), {
      headers: { authorization: `Token ${flooding.token}` },
    });
    expectError(refused, 503, 'service_unavailable', []);
    expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|[12]\d|30)$/);
    expect(
      (
        await service.call(statusPath(other as Account), {
          headers: { authorization: `Token ${other.token}` },
        })
      ).status,
    ).toBe(200);
    // One is read to its end.
    await sockets[0]!.toArray();
    await waitUntil('it is answered again', async () => {
      const { status } = await service.get(
        statusPath(flooding).replace('/v1/data-import/', ''),
        flooding.token,
      );
      return status === 200;
    });
  });

  it('has no more bytes of temporary files than its share, and the next request is refused (T18)', async () => {
    const account = await largeAccount();
    const whole = budget().allotments.temporary_bytes.division.whole;
    const other = budget().hold(account.organisationId, { temporary_bytes: whole / 4 });
    expectError(
      await service.get(rowsPath(account).replace('/v1/data-import/', ''), account.token),
      503,
      'service_unavailable',
      [],
    );
    other.release();
    expect((await service.get(rowsPath(account).replace('/v1/data-import/', ''), account.token)).status).toBe(
      200,
    );
  });
});

describe('an organisation with as many connections as it may have', () => {
  it('is refused on further ones, which are closed, and another organisation is answered (T18)', async () => {
    const busy = (await service.given.importedAccount()) as Account;
    const other = (await service.given.importedAccount()) as Account;
    const head = (account: Account): string => requestHead(`GET ${statusPath(account)}`, account.token);
    const keepOpen = (account: Account): string => head(account).replace('Connection: close\r\n', '');
    const { hostname, port } = new URL(service.baseUrl);
    for (let n = 0; n < 4; n += 1) {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      socket.write(keepOpen(busy));
      await new Promise((resolve) => socket.once('data', resolve));
    }
    // The answer is complete only when the service closes the connection.
    expectRawError(await sendRaw(service.baseUrl, keepOpen(busy)), 503, 'service_unavailable');
    expect((await sendRaw(service.baseUrl, head(other))).status).toBe(200);
    // A connection on which another organisation sends is that one's.
    sockets[0]!.write(keepOpen(other));
    await new Promise((resolve) => sockets[0]!.once('data', resolve));
    expect((await sendRaw(service.baseUrl, head(busy))).status).toBe(200);
  });
});

describe('a viewer of the console', () => {
  const admin = async ({ organisationId }: World): Promise<ConsoleClient> =>
    signInAsAdmin(service, (await issueKey(service, organisationId)).key);

  it('is refused pages beyond the share of the organisation, with a page that says when to return (T18, C2)', async () => {
    const world = await service.given.supplier();
    const [one, another] = [await admin(world), await admin(world)];
    const other = await admin(await service.given.supplier());
    const whole = budget().allotments.pages.division.whole;
    const pages = budget().hold(world.organisationId, { pages: whole / 4 });
    for (const viewer of [one, another]) {
      const refused = await viewer.get('/console/');
      expect(refused.status).toBe(503);
      expect(refused.text).toContain('Too many pages of the organisation are being made');
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect((await other.get('/console/')).status).toBe(200);
    pages.release();
    expect((await one.get('/console/')).status).toBe(200);
  });

  it('is refused downloads of documents beyond the share of the organisation (T18)', async () => {
    const account = await service.given.importedAccount();
    const viewer = await admin(account);
    const { import_supplier: supplier, external_account_number: number } = account.ref;
    const document = `/console/suppliers/${supplier}/accounts/${number}/documents/a.pdf`;
    const downloads = budget().hold(account.organisationId, { downloads: 12 });
    expect((await viewer.get(document)).text).toContain('Too many documents of the organisation');
    downloads.release();
    expect((await viewer.get(document)).status).toBe(404);
  });

  it('waits for the pages of the own organisation, and not for those of another one (T18)', async () => {
    const [world, otherWorld] = [await service.given.supplier(), await service.given.supplier()];
    const [viewer, other] = [await admin(world), await admin(otherWorld)];
    const release = await service.database.lock('supplier_minute');
    const page = `/console/suppliers/${world.supplier}`;
    const running = Promise.all([1, 2].map(() => viewer.get(page)));
    await service.database.blocked(2);
    const waiting = viewer.get(`/console/suppliers/${world.supplier}/failures`);
    expect((await other.get('/console/requests')).status).toBe(200);
    expect(await service.database.blocked(2)).toHaveLength(2);
    await release();
    for (const { status } of [...(await running), await waiting]) expect(status).toBe(200);
  });

  it('counts against the requests a minute of the organisation, and an operator does not (A9)', async () => {
    const limited = await startService(
      { REQUESTS_PER_MINUTE: '3', CONSOLE: 'on' },
      { database: service.database },
    );
    try {
      const { organisationId } = await service.given.supplier();
      const viewer = await signInAsAdmin(limited, (await issueKey(limited, organisationId)).key);
      const statuses: number[] = [];
      for (let n = 0; n < 6; n += 1) statuses.push((await viewer.get('/console/')).status);
      expect(statuses.slice(0, 1)).toEqual([200]);
      expect(statuses.at(-1)).toBe(429);
    } finally {
      await limited.stop();
    }
  });
});

describe('what a request holds', () => {
  const HEADERS = 'Content-Type: application/json';

  it.each([
    [
      'before its body is complete',
      (path: string) => [`POST ${path}`, HEADERS, 'Content-Length: 1000'],
      '{"a":',
    ],
    [
      'with a chunked body that ends in the middle',
      (path: string) => [`POST ${path}`, HEADERS, 'Transfer-Encoding: chunked'],
      '5\r\n{"a":\r\n',
    ],
    ['when everything was sent', (path: string) => [`POST ${path}`, HEADERS, 'Content-Length: 2'], '{}'],
  ])('is released when the client leaves %s (T18)', async (_title, head, body) => {
    const { token } = await service.given.importedAccount();
    const [line = '', ...headers] = head('/v1/data-import/notes/create/');
    for (let n = 0; n < 20; n += 1) {
      const { hostname, port } = new URL(service.baseUrl);
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.write(requestHead(line, token, ...headers) + body);
      for (let turns = 0; turns < n; turns += 1) await turn();
      socket.destroy();
    }
    await waitUntil('nothing is held', () => held() === '');
  });

  it('is released for pipelined requests whose client leaves (T18)', async () => {
    const account = await largeAccount();
    const head = requestHead(`GET ${rowsPath(account)}`, account.token).replace('Connection: close\r\n', '');
    const { hostname, port } = new URL(service.baseUrl);
    const socket = connect(Number(port), hostname).pause();
    sockets.push(socket);
    socket.write(head + head + head);
    await waitUntil('something is held', () => held().includes('answers'));
    socket.destroy();
    await waitUntil('nothing is held', () => held() === '');
  });
});
