import { createServer } from 'node:http';
import { DataImportClient } from '../src/client.js';
import { DataImportError } from '../src/errors.js';
import { PlatformClient } from '../src/platform-client.js';
import { listening } from '../../../test/support/listening.js';
import { setUp } from '../../../test/support/set-up.js';

/** The requests that the fake service received. It answers every one. */
let requests: { readonly path: string; readonly isToken: boolean }[];
const server = setUp(() =>
  listening(
    createServer((incoming, response) => {
      const path = incoming.url ?? '';
      const isToken = path.includes('graphql');
      requests.push({ path, isToken });
      const times = { payload: { iat: 0, exp: 3_600 }, refreshExpiresIn: 9_000 };
      const token = { obtainServiceToken: { token: 't', refreshToken: 'r', ...times } };
      incoming.resume();
      response.setHeader('content-type', 'application/json');
      response.end(
        isToken ? JSON.stringify({ data: token }) : path.includes('account-contents') ? '[]' : '{}',
      );
    }),
  ),
);
beforeEach(() => {
  requests = [];
});

const account = { import_supplier: 'A', external_account_number: '1' };
const CARD = { vendor: 'V', reference: 'R', type: 'CARD' } as const;
const transactions = { ...account, transactions: [] };
const CALL = ['signal', 'requestId', 'timeoutMs', 'retry'];

/** A call as a program in plain JavaScript makes it, without types, and the options that only some calls have. */
type Call = readonly [call: (client: DataImportClient, options: unknown) => unknown, ...options: string[]];
const CALLS: Readonly<Record<string, Call>> = {
  createNotes: [(c, o) => c.createNotes({ ...account, notes: [] }, o as object), 'dryRun'],
  createTransactions: [
    (c, o) => c.createTransactions(transactions, o as object),
    ...['dryRun', 'checkPreviouslyAdded', 'forceAddToCurrentStatement'],
  ],
  createHistoricalStatements: [
    (c, o) => c.createHistoricalStatements({ ...account, statements: [] }, o as object),
    'dryRun',
  ],
  createPaymentInstruction: [
    (c, o) => c.createPaymentInstruction({ ...account, ...CARD }, o as object),
    'dryRun',
  ],
  getAccountTransferStatus: [(c, o) => c.getAccountTransferStatus('A', '1', o as object)],
  getAccountContent: [(c, o) => c.getAccountContent('A', '1', o as object), 'rows', 'rowDigests'],
  viewer: [(c, o) => c.viewer(o as object)],
  listAccountContents: [
    (c, o) => c.listAccountContents('A', o as object),
    ...['after', 'pageSize', 'rowDigests'],
  ],
  listAllAccountImportProcesses: [
    (c, o) => c.listAllAccountImportProcesses('A', o as object),
    ...['after', 'pageSize'],
  ],
};
const calls = Object.entries(CALLS).map(([name, [call, ...own]]) => [name, [...CALL, ...own], call] as const);

/** The error of a call, thrown or rejected. */
async function failureOf(call: () => unknown): Promise<unknown> {
  try {
    return [await call()];
  } catch (error) {
    return error;
  }
}

const client = (options: object = {}): DataImportClient =>
  new DataImportClient({ baseUrl: server.url, apiKey: 'k', ...options });

/** Invalid values of each option. */
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  signal: [{}, true, new AbortController()],
  requestId: ['no spaces', '', 7, 'x'.repeat(129)],
  timeoutMs: [0, -1, NaN, Infinity, 2 ** 31, '100', 10n],
  retry: [true, null, 3, []],
  dryRun: ['true', 1, null],
  checkPreviouslyAdded: ['false', 0],
  forceAddToCurrentStatement: ['false', 0, null],
  rows: ['true', 1],
  rowDigests: ['true', 1],
  after: [5, null],
  pageSize: [0, 10_001, 1.5, '10'],
};

describe.each(calls)('%s', (_name, known, call) => {
  it('rejects an unknown option by name, and sends nothing', async () => {
    const names = ['dryrun', 'dry_run', 'forceaddtocurrentstatement', 'Signal', 'constructor', '__proto__'];
    for (const name of names) {
      const options = JSON.parse(`{"${name}": true}`) as object;
      const error = await failureOf(() => call(client(), options));
      expect(error).toBeInstanceOf(DataImportError);
      expect(error).toMatchObject({ code: 'invalid_input', attr: name, retryable: false });
      expect((error as Error).message).toContain(`there are ${known.join(', ')}`);
    }
    expect(requests).toEqual([]);
  });

  it.each(known)('rejects invalid values of %s, and sends nothing', async (name) => {
    for (const value of WRONG[name] ?? []) {
      const error = await failureOf(() => call(client(), { [name]: value }));
      expect(error).toBeInstanceOf(DataImportError);
      expect(error).toMatchObject({ code: 'invalid_input', attr: name });
    }
    expect(WRONG[name]?.length).toBeGreaterThan(1);
    expect(requests).toEqual([]);
  });

  it('rejects options that are not an object, and accepts undefined ones', async () => {
    for (const options of [null, 'dryRun', 7, []]) {
      const error = await failureOf(() => call(client(), options));
      expect(error).toBeInstanceOf(DataImportError);
      expect(error).toMatchObject({ attr: 'options' });
    }
    const undefinedOptions = Object.fromEntries(known.map((name) => [name, undefined]));
    expect(await failureOf(() => call(client(), undefinedOptions))).not.toMatchObject({
      code: 'invalid_input',
    });
  });
});

it.each([
  [{ retry: { attempt: 3 } }, 'retry.attempt'],
  [{ retry: { attempts: 0 } }, 'retry.attempts'],
  [{ retry: { attempts: 1.5 } }, 'retry.attempts'],
  [{ retry: { maxWaitMs: '1' } }, 'retry.maxWaitMs'],
  [{ retry: { giveUpAfterMs: NaN } }, 'retry.giveUpAfterMs'],
  [{ retry: { giveUpAfterMs: -1 } }, 'retry.giveUpAfterMs'],
])('%j of a call or a client is rejected with the path %s', async (options, attr) => {
  expect(await failureOf(() => client().viewer(options as object))).toMatchObject({ attr });
  expect(await failureOf(() => client(options))).toMatchObject({ code: 'invalid_input', attr });
  expect(requests).toEqual([]);
});

it.each([
  [undefined, 'options'],
  [{}, 'baseUrl'],
  [{ baseUrl: 'http://a' }, 'apiKey'],
  [{ baseUrl: new URL('http://a'), apiKey: 'k' }, 'baseUrl'],
  [{ baseUrl: 'http://a', apiKey: 7 }, 'apiKey'],
  [{ baseUrl: 'http://a', apiKey: 'k', connection: 3 }, 'connection'],
  [{ baseUrl: 'http://a', apiKey: 'k', connections: '3' }, 'connections'],
  [{ baseUrl: 'http://a', apiKey: 'k', connections: 0 }, 'connections'],
  [{ baseUrl: 'http://a', apiKey: 'k', onRetry: true }, 'onRetry'],
  [{ baseUrl: 'http://a', apiKey: 'k', userAgent: 'two\nlines' }, 'userAgent'],
  [{ baseUrl: 'http://a', apiKey: 'k', ca: [1] }, 'ca'],
  [{ baseUrl: 'http://a', apiKey: 'k', clock: 'now' }, 'clock'],
])('the options %j of a client are rejected with %s', async (options, attr) => {
  for (const Client of [DataImportClient, PlatformClient]) {
    const error = await failureOf(() => new Client(options as never));
    expect(error).toBeInstanceOf(DataImportError);
    expect(error).toMatchObject({ code: 'invalid_input', attr });
  }
});

it.each([
  [{ supplier: 'A', cursors: 'c' }, 'cursors'],
  [{ supplier: 7 }, 'supplier'],
  [{}, 'supplier'],
  [{ supplier: 'A', cursor: 7 }, 'cursor'],
  [{ supplier: 'A', reader: null }, 'reader'],
  [undefined, 'options'],
])('the options %j of a feed are rejected with %s', async (options, attr) => {
  const platform = new PlatformClient({ baseUrl: server.url, apiKey: 'k' });
  expect(await failureOf(() => platform.changes(options as never))).toMatchObject({
    code: 'invalid_input',
    attr,
  });
  expect(await failureOf(() => platform.suppliers({ reader: 'r' } as object))).toMatchObject({
    attr: 'reader',
  });
  expect(requests).toEqual([]);
});

it('arguments of a wrong type are rejected by name', async () => {
  const cases: readonly (readonly [() => unknown, string])[] = [
    [() => client().getAccountTransferStatus(7 as never, '1'), 'importSupplier'],
    [() => client().getAccountContent('A', undefined as never), 'externalAccountNumber'],
    [() => client().listAccountContents(undefined as never), 'importSupplier'],
    [() => client().createNotes({ ...account, notes: [{ body: 7n }] } as never), 'payload'],
    [() => client({ apiKey: () => 7 }).viewer(), 'apiKey'],
  ];
  for (const [call, attr] of cases) {
    const error = await failureOf(call);
    expect(error).toBeInstanceOf(DataImportError);
    expect(error).toMatchObject({ code: 'invalid_input', attr });
  }
  expect(requests).toEqual([]);
});

it.each(['/import', '/import/', '/a/b//'])(
  'the path %s of a base URL is kept by every call',
  async (path) => {
    const given = client({ baseUrl: server.url + path });
    await given.createTransactions(transactions, { dryRun: true, forceAddToCurrentStatement: false });
    expect(await given.listAccountContents('A')[Symbol.asyncIterator]().next()).toMatchObject({ done: true });
    const base = path.replace(/\/+$/, '');
    expect(requests.map((request) => request.path)).toEqual([
      `${base}/v1/graphql/`,
      `${base}/v1/data-import/transactions/create/?dry_run=true&force_add_to_current_statement=false`,
      `${base}/v1/data-import/account-contents/A/`,
    ]);
  },
);
