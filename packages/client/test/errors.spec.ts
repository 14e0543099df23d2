import { inspect } from 'node:util';
import { startService, unique, type AccountPair } from '../../../test/support/service.js';
import { DataImportClient } from '../src/client.js';
import {
  AuthenticationError,
  DataImportError,
  InvalidInputError,
  NotFoundError,
  ServiceError,
  TransactionImportError,
  ValidationError,
} from '../src/errors.js';
import { inBlock, setUp } from '../../../test/support/set-up.js';
import { failureOf, givenClient } from './support/client.js';
import { answer, startHttpProxy } from './support/http-proxy.js';

const service = setUp(() => startService({ BODY_LIMIT_BYTES: '100000' }));
let client: DataImportClient;
let apiKey: string;
let ref: AccountPair;
let organisationId: string;

beforeAll(async () => {
  ({ ref, organisationId } = await service.given.importedAccount({ from: '2026-11-01', to: '2026-11-30' }));
  ({ client, apiKey } = await givenClient(service, organisationId));
});

const charge = { transaction_id: 'T', transaction_date: '2026-11-02', type: 'CHARGE', amount: 1 } as const;

it('invalid input is named by path and code; values are in no message (7.1)', async () => {
  const error = (await failureOf(
    client.createTransactions(
      {
        ...ref,
        transactions: [
          { ...charge, amount: '0.001' },
          { ...charge, type: 'SECRET' as 'CHARGE' },
        ],
      },
      { requestId: 'run-7' },
    ),
  )) as ValidationError;
  expect(error).toBeInstanceOf(ValidationError);
  expect(error).toBeInstanceOf(DataImportError);
  expect(error).toMatchObject({
    code: 'validation_error',
    status: 400,
    requestId: 'run-7',
    retryable: false,
  });
  expect(error.errors.map(({ attr, code }) => [attr, code])).toEqual([
    ['transactions.0.amount', 'max_decimal_places'],
    ['transactions.1.type', 'invalid_choice'],
    ['transactions.1.transaction_id', 'duplicate_transaction_ids'],
  ]);
  expect(error.message).toBe(
    'The request has invalid input. transactions.0.amount: max_decimal_places and 2 more. (validation_error, request run-7)',
  );
});

it('transactions outside the open period are an error with the first of them (7.2)', async () => {
  const early = { ...charge, transaction_date: '2026-10-01', amount: '12.5' };
  const error = await failureOf(
    client.createTransactions(
      { ...ref, transactions: [charge, early].map((one, at) => ({ ...one, transaction_id: `${at}` })) },
      { forceAddToCurrentStatement: false },
    ),
  );
  expect(error).toBeInstanceOf(TransactionImportError);
  expect(error).toMatchObject({
    code: 'transaction_import_error',
    status: 400,
    errorDetail: expect.stringContaining('2026-10-01') as string,
    transactionData: { transaction_id: '1', amount: '12.50' },
    errors: [{ attr: 'transactions.1.transaction_date', code: 'outside_open_statement_period' }],
  });
});

it('accounts and suppliers that do not exist are not found (S8, A8)', async () => {
  const unknown = { ...ref, external_account_number: 'unknown' };
  const list = client.listAllAccountImportProcesses('unknown')[Symbol.asyncIterator]();
  for (const [call, code] of [
    [() => client.createNotes({ ...unknown, notes: [{ body: 'b' }] }), 'account_not_found'],
    [() => client.getAccountTransferStatus(ref.import_supplier, 'unknown'), 'account_not_found'],
    [() => list.next(), 'not_found'],
  ] as const) {
    const error = await failureOf(call());
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ code, status: 404, retryable: false });
  }
});

it.each([1, 50])(
  'a body that is too large is reported as such, not as a broken connection: %d times the limit (T15)',
  async (times) => {
    const error = await failureOf(
      client.createNotes({ ...ref, notes: [{ body: 'x'.repeat(100_000 * times) }] }),
    );
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: 'payload_too_large', status: 413, retryable: false });
  },
);

it('JSON text that is not valid JSON is rejected by the service', async () => {
  const { jsonText } = await import('../src/body.js');
  const error = await failureOf(client.createNotes({ ...ref, notes: [jsonText('{"body": ')] }));
  expect(error).toMatchObject({ code: 'parse_error', status: 400, retryable: false });
});

it('a token that is rejected right after its renewal is an authentication error', async () => {
  await using proxy = inBlock(await startHttpProxy(service.baseUrl));
  const given = await givenClient(service, organisationId, { baseUrl: proxy.url });
  const refused = answer(401, {}, { code: 'token_revoked', detail: 'No.', errors: [] });
  proxy.faults.push(refused, refused);
  const error = await failureOf(given.client.viewer());
  expect(error).toBeInstanceOf(ServiceError);
  proxy.faults.push(refused, refused);
  expect(await failureOf(given.client.getAccountTransferStatus('a', 'b'))).toBeInstanceOf(
    AuthenticationError,
  );
  expect(proxy.requests).toHaveLength(4);
});

it('errors of GraphQL have the codes and statuses of REST', async () => {
  await using proxy = inBlock(await startHttpProxy(service.baseUrl));
  const given = await givenClient(service, organisationId, { baseUrl: proxy.url, retry: false });
  const failed = (code: string): unknown => ({
    data: null,
    errors: [{ message: 'm', extensions: { code } }],
  });
  for (const [code, expected] of [
    ['THROTTLED', { code: 'throttled', status: 429, retryable: true }],
    ['SERVICE_UNAVAILABLE', { code: 'service_unavailable', status: 503, retryable: true }],
    ['INTERNAL_SERVER_ERROR', { code: 'error', status: 500, retryable: true }],
    ['GRAPHQL_VALIDATION_FAILED', { code: 'graphql_validation_failed', status: 200, retryable: false }],
  ] as const) {
    proxy.faults.push(answer(200, {}, failed(code)));
    expect(await failureOf(given.client.viewer())).toMatchObject(expected);
  }
  proxy.faults.push(answer(200, {}, { data: null }));
  expect(await failureOf(given.client.viewer())).toMatchObject({ code: 'unexpected_answer' });
});

it.each<[string, () => Promise<unknown>]>([
  [
    'transactions.0.amount',
    () => client.createTransactions({ ...ref, transactions: [{ ...charge, amount: '1,5' }] }),
  ],
  ['requestId', () => client.viewer({ requestId: 'no spaces' })],
  ['importSupplier', () => client.getAccountTransferStatus('', '1')],
  ['externalAccountNumber', () => client.getAccountTransferStatus('a', '\ud800')],
])('%s is checked before anything is sent', async (attr, call) => {
  const error = await failureOf(call());
  expect(error).toBeInstanceOf(InvalidInputError);
  expect(error).toMatchObject({ code: 'invalid_input', attr, status: undefined, retryable: false });
});

it.each([
  ['ftp://example.com', 'it must begin with http:// or https://'],
  ['example.com', 'it is not a URL'],
  ['https://user:password@example.com', 'it must have no user, password, query or fragment'],
])('the base URL %s is rejected, and is not in the error', (baseUrl, detail) => {
  const attempt = (): unknown => new DataImportClient({ baseUrl, apiKey: 'k' });
  expect(attempt).toThrow(new InvalidInputError('baseUrl', detail));
});

it('the API key and the tokens appear in no error, and not when the client is inspected', async () => {
  await using proxy = inBlock(await startHttpProxy(service.baseUrl));
  const given = await givenClient(service, organisationId, { baseUrl: proxy.url, retry: { attempts: 2 } });
  await given.client.viewer();
  const [token] = proxy.requests.map(({ headers }) => headers.authorization!.replace('Token ', ''));
  expect(proxy.tokenRequests[0]?.body).toContain(given.apiKey);
  const wrong = `adi_live_${unique('wrong')}`;
  const stranger = new DataImportClient({ baseUrl: proxy.url, apiKey: wrong });
  proxy.faults.push(
    ({ cut }) => {
      cut();
    },
    answer(500),
    answer(400),
  );
  const errors = [
    await failureOf(given.client.viewer()),
    await failureOf(given.client.getAccountTransferStatus('a', 'b')),
    await failureOf(given.client.createNotes({ ...ref, notes: [] })),
    await failureOf(stranger.viewer()),
  ];
  const shown = [given.client, stranger, ...errors].map(
    (one) =>
      `${String(one)} ${JSON.stringify(one)} ${inspect(one, { depth: 20, showHidden: true, getters: true })}`,
  );
  for (const secret of [given.apiKey, apiKey, wrong, token!]) {
    expect(secret.length).toBeGreaterThan(10);
    expect(shown.join()).not.toContain(secret);
  }
});
