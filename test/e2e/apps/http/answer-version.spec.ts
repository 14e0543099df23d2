import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { createLogger } from '../../../../src/infrastructure/log/logger.js';
import { startingAnswers } from '../../../../src/apps/http/starting-answers.js';
import { sendRaw } from '../../../support/raw-http.js';
import { startService, type AccountPair } from '../../../support/service.js';
import { setUp, inBlock } from '../../../support/set-up.js';
import { listening } from '../../../support/listening.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const JSON_TYPE = { 'content-type': 'application/json' };

const service = setUp(() => startService({ CONSOLE: 'on', BODY_LIMIT_BYTES: '2000' }));
let authorised: { authorization: string };
let ref: AccountPair;
beforeAll(async () => {
  const { token, ref: imported } = await service.given.importedAccount();
  [authorised, ref] = [{ authorization: `Token ${token}` }, imported];
});

const notes = (body: string): RequestInit => ({
  method: 'POST',
  headers: { ...authorised, ...JSON_TYPE },
  body: JSON.stringify({ ...ref, notes: [{ body }] }),
});
const graphql = (query: string): RequestInit => ({
  method: 'POST',
  headers: { ...authorised, ...JSON_TYPE },
  body: JSON.stringify({ query }),
});
const NOTES = '/v1/data-import/notes/create/';

describe('the version of the service', () => {
  it.each<[number, string, () => [path: string, init?: RequestInit]]>([
    [201, 'something stored', () => [NOTES, notes('A note')]],
    [200, 'GraphQL', () => ['/v1/graphql/', graphql('{ viewer { organisation { id } } }')]],
    [400, 'invalid input', () => [NOTES, notes('')]],
    [401, 'no token', () => [NOTES, { ...notes('A note'), headers: JSON_TYPE }]],
    [404, 'an unknown address', () => ['/nowhere/']],
    [404, 'an address that cannot be decoded', () => ['/%zz/']],
    [405, 'another method', () => [NOTES, { method: 'PUT' }]],
    [204, 'OPTIONS', () => [NOTES, { method: 'OPTIONS' }]],
    [413, 'a body over the limit', () => [NOTES, notes('x'.repeat(3_000))]],
    [415, 'another media type', () => [NOTES, { method: 'POST', headers: authorised, body: 'text' }]],
    [200, 'a probe', () => ['/health/live']],
    [200, 'a page of the documents', () => ['/docs/']],
    [200, 'a static file', () => ['/docs/openapi.json', { method: 'HEAD' }]],
    [200, 'the console', () => ['/console/sign-in']],
    [303, 'the console without a session', () => ['/console/', { redirect: 'manual' }]],
    [200, 'a file of the console', () => ['/console/assets/console.css']],
  ])('is in an answer %d: %s (L15)', async (status, _what, request) => {
    const [path, init] = request();
    const response = await fetch(service.baseUrl + path, init);
    await response.arrayBuffer();
    expect([response.status, response.headers.get('x-data-import-version')]).toEqual([status, version]);
  });

  it('is in a 304 answer (L15)', async () => {
    const etag = (await fetch(`${service.baseUrl}/docs/`)).headers.get('etag') ?? '';
    const { status, headers } = await fetch(`${service.baseUrl}/docs/`, {
      headers: { 'if-none-match': etag },
    });
    expect([status, headers.get('x-data-import-version')]).toEqual([304, version]);
  });

  it.each(['nonsense\r\n\r\n', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n'])(
    'is in the answer to an invalid request: %j (L15)',
    async (sent) => {
      expect((await sendRaw(service.baseUrl, sent)).headers.get('x-data-import-version')).toBe(version);
    },
  );

  it.each(['/health/ready', '/docs/'])('is in an answer while the service starts: %s (L15)', async (path) => {
    const server = createServer(startingAnswers(createLogger('silent'), () => false));
    await using starting = inBlock(await listening(server));
    const { headers } = await fetch(starting.url + path);
    expect(headers.get('x-data-import-version')).toBe(version);
  });
});
