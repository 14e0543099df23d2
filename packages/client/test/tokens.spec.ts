import { ApiKeysService } from '../../../src/auth/api-keys.service.js';
import { startService, type AccountPair } from '../../../test/support/service.js';
import { setUp, setUpEach } from '../../../test/support/set-up.js';
import { waitUntil } from '../../../test/support/wait-until.js';
import type { DataImportClient } from '../src/client.js';
import { ApiKeyRefusedError } from '../src/errors.js';
import { failureOf, givenClient, type GivenClient } from './support/client.js';
import { startHttpProxy } from './support/http-proxy.js';

const service = setUp(() => startService({ TOKEN_TTL_SECONDS: '2' }));
const proxy = setUpEach(() => startHttpProxy(service.baseUrl));
let ref: AccountPair;
let organisationId: string;

beforeAll(async () => {
  ({ ref, organisationId } = await service.given.importedAccount());
});

const status = (client: DataImportClient): Promise<unknown> =>
  client.getAccountTransferStatus(ref.import_supplier, ref.external_account_number);
const credentials = (): string[] =>
  proxy.tokenRequests.map(({ body }) =>
    Object.keys((JSON.parse(body) as { variables: { input: object } }).variables.input).join(),
  );

/** A client whose clock only moves when a test sets it. */
async function given(): Promise<GivenClient & { at: (ms: number) => void }> {
  let nowMs = 0;
  const clock = { now: () => nowMs, sleep: () => Promise.resolve(), random: () => 0 };
  const client = await givenClient(service, organisationId, { baseUrl: proxy.url, clock });
  return { ...client, at: (ms) => (nowMs = ms) };
}

it('a token that expires earlier than expected is renewed once, and the call succeeds (T4)', async () => {
  const { client } = await given();
  await waitUntil('the token has expired', async () => {
    await Promise.all([status(client), status(client)]);
    return proxy.tokenRequests.length > 1;
  });
  expect(credentials()).toEqual(['apiKey', 'refreshToken']);
});

it('a token that was revoked is replaced with the API key (A4, A7)', async () => {
  const { client } = await given();
  await status(client);
  await service.database.sql('UPDATE organisation SET token_version = token_version + 1 WHERE id = $1', [
    organisationId,
  ]);
  await waitUntil('the token is renewed', async () => {
    await status(client);
    return proxy.tokenRequests.length > 1;
  });
  expect(credentials()[1]).toMatch(/apiKey|refreshToken/);
});

it('a revoked key ends with its own error, and is not sent again (A7, A9)', async () => {
  const { client, apiKeyId } = await given();
  await status(client);
  await service.app.get(ApiKeysService, { strict: false }).revoke(apiKeyId, 'test');
  await waitUntil(
    'the key is refused',
    // A token renewed just before the revocation is rejected first.
    async () => (await status(client).catch((error: unknown) => error)) instanceof ApiKeyRefusedError,
  );
  const sent = proxy.tokenRequests.length;
  for (let turn = 0; turn < 5; turn += 1) {
    const error = await failureOf(status(client));
    expect(error).toBeInstanceOf(ApiKeyRefusedError);
    expect(error).toMatchObject({ code: 'api_key_refused', retryable: false });
  }
  expect(proxy.tokenRequests).toHaveLength(sent);
  expect(credentials().filter((name) => name === 'apiKey')).toHaveLength(2);
});
