import { createAuthority } from '../../../test/support/certificates.js';
import { startForwardProxy, startTlsFront } from '../../../test/support/forward-proxy.js';
import { sharedService } from '../../../test/support/shared-service.js';
import { ConnectionError, InvalidInputError } from '../src/errors.js';
import type { ClientOptions } from '../src/options.js';
import { failureOf, givenClient, type GivenClient } from './support/client.js';
import { inBlock, setUp } from '../../../test/support/set-up.js';

const HOST = 'import.example.test';

const service = setUp(sharedService);
const authority = setUp(() => createAuthority());
const front = setUp(async () => startTlsFront(service.baseUrl, await authority.issue({ host: HOST })));
const proxy = setUp(() =>
  startForwardProxy({ [`${HOST}:443`]: front.port, [HOST]: Number(new URL(service.baseUrl).port) }),
);
let organisationId: string;

beforeAll(async () => {
  ({ organisationId } = await service.given.importedAccount());
});
beforeEach(() => {
  proxy.requests.length = 0;
  proxy.authorizations.length = 0;
});
afterEach(() => {
  for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'NO_PROXY'])
    Reflect.deleteProperty(process.env, name);
});

const given = (options: Partial<ClientOptions> = {}): Promise<GivenClient> =>
  givenClient(service, organisationId, { baseUrl: `https://${HOST}`, ca: authority.cert, ...options });
const withPassword = (url: string): string => url.replace('//', '//user:p%40ss@');

describe('a proxy', () => {
  it('of HTTPS_PROXY tunnels encrypted connections, whose certificate is checked, and learns only host and port (L15)', async () => {
    process.env.HTTPS_PROXY = withPassword(proxy.url);
    const { client } = await given();
    expect((await client.viewer()).organisation.id).toBe(organisationId);
    expect(client.serviceVersion).toMatch(/^\d+\.\d+\.\d+$/);
    expect(new Set(proxy.requests)).toEqual(new Set([`CONNECT ${HOST}:443`]));
    expect(proxy.authorizations[0]).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
    client.close();
    const { client: distrusting } = await given({
      ca: (await createAuthority('Another')).cert,
      retry: false,
    });
    const error = await failureOf(distrusting.viewer());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ retryable: false });
    expect((error as ConnectionError).detail).not.toContain('may have been stored');
  });

  it('keeps no more connections open than allowed (L15)', async () => {
    process.env.https_proxy = proxy.url.replace('http://', '');
    const { client } = await given({ connections: 2 });
    await Promise.all(Array.from({ length: 20 }, () => client.viewer()));
    expect(proxy.requests.length).toBeLessThanOrEqual(2);
    client.close();
  });

  it('of HTTP_PROXY receives whole URLs (L15)', async () => {
    process.env.HTTP_PROXY = withPassword(proxy.url);
    const { client } = await given({ baseUrl: `http://${HOST}/` });
    expect((await client.viewer()).organisation.id).toBe(organisationId);
    expect(proxy.requests[0]).toBe(`POST http://${HOST}/v1/graphql/`);
    expect(proxy.authorizations[0]).toMatch(/^Basic /);
  });

  it('is bypassed for addresses in NO_PROXY (L15)', async () => {
    Object.assign(process.env, { HTTP_PROXY: proxy.url, NO_PROXY: 'example.test, 127.0.0.1' });
    const { client } = await given({ baseUrl: service.baseUrl });
    await client.viewer();
    expect(proxy.requests).toEqual([]);
  });

  it.each([
    [407, false],
    [503, true],
  ])('that refuses with %d is named without its password; retryable: %s (L15)', async (status, retryable) => {
    await using refusing = inBlock(await startForwardProxy({}, status));
    process.env.HTTPS_PROXY = withPassword(refusing.url);
    const { client } = await given({ retry: false });
    const error = (await failureOf(client.viewer())) as ConnectionError;
    const { host } = new URL(refusing.url);
    expect(error.detail).toBe(
      `The connection to the service through the proxy ${host} failed: PROXY_ANSWERED_${status}.`,
    );
    expect(error.retryable).toBe(retryable);
  });

  it.each(['socks5://127.0.0.1', 'http://', 'http://[user:secret'])('%s is no proxy (L15)', async (url) => {
    process.env.HTTPS_PROXY = url;
    const error = await failureOf(given());
    expect(error).toBeInstanceOf(InvalidInputError);
    expect((error as InvalidInputError).detail).not.toContain('secret');
  });
});
