import { once } from 'node:events';
import { writeFile, mkdir } from 'node:fs/promises';
import { get, type ClientRequest } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { Budget } from '../../../src/infrastructure/limits/budget.js';
import { ConsoleClient, adminOf, signInAsOperator } from '../../support/console.js';
import { folderWith } from '../../support/folders.js';
import { startService, type World } from '../../support/service.js';
import { setUp } from '../../support/set-up.js';
import { waitUntil } from '../../support/wait-until.js';

const store = folderWith();
/** Names so long that an answer with all of them does not fit into a connection's buffers. */
const NUMBERS = Array.from({ length: 40_000 }, (_, index) => `${'x'.repeat(120)}${index}`);
const LARGE_DOCUMENT = Buffer.alloc(32_000_000, 'x');

describe('an answer that is read in pieces (T20)', () => {
  const service = setUp(() => startService({ CONSOLE: 'on', DOCUMENT_STORE: pathToFileURL(store).href }));
  let world: World;
  let cursor: string;

  /** A reader, and an action that ends its permission. */
  interface Reader {
    readonly headers: Record<string, string>;
    readonly end: () => Promise<unknown>;
  }
  const sql = (text: string, ...values: unknown[]): Promise<unknown> => service.database.sql(text, values);

  async function apiKey(): Promise<Reader & { organisationId: string }> {
    const { token, apiKeyId, organisationId } = await service.given.organisation();
    await service.given.grant(world.supplier, organisationId);
    const end = (): Promise<unknown> => sql('UPDATE api_key SET revoked_at = now() WHERE id = $1', apiKeyId);
    return { headers: { authorization: `Token ${token}` }, end, organisationId };
  }
  async function grant(): Promise<Reader> {
    const { headers, organisationId } = await apiKey();
    const end = (): Promise<unknown> =>
      sql('DELETE FROM import_supplier_grant WHERE organisation_id = $1', organisationId);
    return { headers, end };
  }
  async function platformKey(accept: string): Promise<Reader> {
    const { token, keyId } = await service.given.platformToken();
    const end = (): Promise<unknown> =>
      sql('UPDATE platform_key SET expires_at = now() WHERE id = $1', keyId);
    return { headers: { authorization: `Token ${token}`, accept }, end };
  }
  function session(client: ConsoleClient): Record<string, string> {
    return { cookie: `data_import_session=${client.cookie('data_import_session') ?? ''}` };
  }
  async function operator(): Promise<Reader> {
    const name = `operator ${Math.random()}`;
    const headers = session(await signInAsOperator(service, name));
    return {
      headers,
      end: () => sql('UPDATE console_session SET revoked_at = now() WHERE operator = $1', name),
    };
  }
  async function admin(): Promise<Reader> {
    const { organisationId } = await apiKey();
    const headers = session(await adminOf(service, { organisationId }));
    const end = (): Promise<unknown> =>
      sql('DELETE FROM import_supplier_grant WHERE organisation_id = $1', organisationId);
    return { headers, end };
  }

  beforeAll(async () => {
    await mkdir(join(store, 'root'));
    await writeFile(join(store, 'root', 'a.pdf'), LARGE_DOCUMENT);
    world = await service.given.supplier({ document_root: 'root' });
    await service.given.importedAccounts(world, NUMBERS);
    const ref = { import_supplier: world.supplier, external_account_number: NUMBERS[0] };
    const notes = [{ body: 'a', document_paths: [{ document_path: 'a.pdf' }] }];
    expect((await service.post('notes/create/', world.token, { ...ref, notes })).status).toBe(201);
    const { token } = await service.given.platformToken();
    await waitUntil('all is numbered', async () => {
      const path = `${changes()}?cursor=`;
      const { headers, body } = await service.get<{ cursor: string }>(`${changes()}?limit=1`, token);
      cursor = `${headers.get('feed-epoch') ?? ''}-${String(NUMBERS.length + 1).padStart(19, '0')}`;
      return body.cursor !== '' && (await service.get(path + cursor, token)).status === 200;
    });
  });

  const changes = (): string => `/v1/platform/import-suppliers/${world.supplier}/changes/`;
  const open = (path: string, { headers }: Reader): ClientRequest =>
    get(service.baseUrl + path, { agent: false, headers }).on('error', () => undefined);
  const NDJSON = 'application/x-ndjson';
  const list = (): string => `/v1/data-import/all-account-import-processes/${world.supplier}/`;
  const contents = (): string => `/v1/data-import/account-contents/${world.supplier}/`;
  const atConsole = (path: string) => (): string => `/console/suppliers/${world.supplier}/${path}`;
  const document = atConsole(`accounts/${NUMBERS[0]}/documents/a.pdf`);

  it.each<[string, () => Promise<Reader>, () => string]>([
    ['a list, with its API key', apiKey, list],
    ['a list, with the grant', grant, list],
    ['contents, with their API key', apiKey, contents],
    ['contents, with the grant', grant, contents],
    ['a stream of the feed, with its key', () => platformKey(NDJSON), changes],
    ['a file of the console, with its session', operator, atConsole('accounts.csv')],
    ['a file of the console, with the grant', admin, atConsole('accounts.csv')],
    ['a document, with its session', operator, document],
    ['a document, with the grant', admin, document],
    [
      'a wait for the next change, with its key',
      () => platformKey('*/*'),
      () => `${changes()}?cursor=${cursor}&wait=30`,
    ],
  ])('ends, even when nobody reads it: %s', async (_what, someone, path) => {
    const { inHand } = service.app.get(Budget);
    const [ended, other] = [await someone(), await someone()];
    const readers = [ended, other].map((reader) => open(path(), reader));
    if (!path().includes('wait=')) {
      const answers = await Promise.all(readers.map((reader) => once(reader, 'response')));
      expect(answers).toMatchObject([[{ statusCode: 200 }], [{ statusCode: 200 }]]);
    }
    await waitUntil('both are open', () => inHand.requests === 2);
    const revokedAtMs = performance.now();
    await ended.end();
    await waitUntil('one has ended', () => inHand.requests === 1);
    expect(performance.now() - revokedAtMs).toBeLessThan(5_000);
    expect(readers[1]!.destroyed).toBe(false);
    for (const reader of readers) reader.destroy();
    await waitUntil('none is open', () => inHand.requests === 0);
  });

  it('is checked on every route that needs a caller', () => {
    const instance: FastifyInstance = service.app.getHttpAdapter().getInstance();
    const routes = instance.printRoutes({ commonPrefix: false, includeHooks: true }).split(/\n(?=[^•\n]*\()/);
    const [counted, others] = [true, false].map((isCounted) =>
      routes.filter((route) => route.includes('(GET') && route.includes('"count()"') === isCounted),
    );
    expect(counted!.length).toBeGreaterThan(30);
    const isPublic =
      /\/(assets\/|icon|health\/|docs|loader|feed |guides\/|openapi|platform.json|schema|data-import-loader|mapping|manual|v1\/graphql )|\.(sha256|schema)/;
    expect(others!.filter((route) => !isPublic.test(route))).toEqual([]);
  });
});
