import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GUIDES, REFERENCES } from '../../src/http/docs/guides.js';
import { signInAsOperator } from '../support/console.js';
import { expectError } from '../support/expect-error.js';
import { startService, type TestService } from '../support/service.js';

interface OpenApi {
  readonly servers: unknown;
}

const FILES = [
  ['assets/docs.css', 'text/css; charset=utf-8'],
  ['assets/console.css', 'text/css; charset=utf-8'],
  ['assets/reference.css', 'text/css; charset=utf-8'],
  ['assets/reference.js', 'text/javascript; charset=utf-8'],
  ['assets/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['assets/swagger-ui.css', 'text/css; charset=utf-8'],
  ['assets/icon.svg', 'image/svg+xml'],
  ['openapi.json', 'application/json; charset=utf-8'],
  ['platform.json', 'application/json; charset=utf-8'],
  ['schema.graphql', 'text/plain; charset=utf-8'],
  ['loader/', 'text/html; charset=utf-8'],
  ['loader/data-import-loader.mjs', 'text/javascript; charset=utf-8'],
  ['loader/data-import-loader.mjs.sha256', 'text/plain; charset=utf-8'],
  ['loader/mapping.schema.json', 'application/json; charset=utf-8'],
  ...[...REFERENCES, ...GUIDES].map(({ address }) => [address, 'text/html; charset=utf-8'] as const),
] as const;

const PAGES = ['loader/', ...[...REFERENCES, ...GUIDES].map(({ address }) => address)];

describe('the documents', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${service.baseUrl}/docs/${path}`, { headers });

  const pages = new Map<string, Promise<string>>();
  const pageOf = (address: string): Promise<string> => {
    const page = pages.get(address) ?? get(address).then((response) => response.text());
    pages.set(address, page);
    return page;
  };

  it('have the committed OpenAPI document, with the server that was asked (O2)', async () => {
    const committed = JSON.parse(readFileSync('contract/openapi.json', 'utf8')) as OpenApi;
    const { servers, ...served } = (await (await get('openapi.json')).json()) as OpenApi;
    expect({ ...served, servers: committed.servers }).toEqual(committed);
    expect(servers).toEqual([{ url: '/' }]);
  });

  it('have the committed GraphQL schema (O2)', async () => {
    expect(await (await get('schema.graphql')).text()).toBe(readFileSync('contract/schema.graphql', 'utf8'));
  });

  it.each(FILES)(
    'are shown to everyone, as what they are, and let no page of others in: /docs/%s (O2)',
    async (path, type) => {
      const { status, headers } = await get(path, { 'accept-encoding': 'identity' });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe(type);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('x-request-id')).not.toBeNull();
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'; img-src 'self' data:",
      );
    },
  );

  it.each(FILES)('are sent again only after they have changed: /docs/%s (O2)', async (path) => {
    const first = await get(path);
    const etag = first.headers.get('etag')!;
    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect((await first.arrayBuffer()).byteLength).toBeGreaterThan(0);
    const again = await get(path, { 'if-none-match': etag });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    expect((await get(path, { 'if-none-match': '"another"' })).status).toBe(200);
  });

  it.each(PAGES)(
    'is a page without scripts, styles or addresses of others in it, whose links lead to something that is there: /docs/%s (O2)',
    async (address) => {
      const text = await pageOf(address);
      expect(text).toMatch(/<h1>[^<]/);
      expect(text).not.toMatch(/<script>|<style|style=|\son\w+=|src="(?!\/docs\/)/);
      const links = [...text.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(([, link]) => link!);
      for (const link of links.filter((one) => !/^https:|^\/console\/$/.test(one))) {
        const { pathname, hash } = new URL(link, `${service.baseUrl}/docs/${address}`);
        expect([link, (await fetch(service.baseUrl + pathname)).status]).toEqual([link, 200]);
        if (hash !== '') {
          const ids = [hash.slice(1), decodeURIComponent(hash.slice(1))].map((id) => `id="${id}"`);
          const target = await pageOf(pathname.replace('/docs/', ''));
          expect([link, ids.some((id) => target.includes(id))]).toEqual([link, true]);
        }
      }
    },
  );

  it('have one navigation, which marks the present page, and lead to the console where it is (O2)', async () => {
    for (const address of PAGES) {
      const text = await pageOf(address);
      for (const other of PAGES) expect(text).toContain(`href="/docs/${other}"`);
      expect([...text.matchAll(/<a href="([^"]*)" aria-current="page"/g)].map(([, link]) => link)).toEqual([
        `/docs/${address}`,
      ]);
      expect(text).not.toContain('href="/console/"');
    }
    const withConsole = await startService({ CONSOLE: 'on' });
    try {
      const page = await (await fetch(`${withConsole.baseUrl}/docs/loader/`)).text();
      expect(page).toContain('<a href="/console/">Console</a>');
      const operator = await signInAsOperator(withConsole);
      expect((await operator.get('/console/')).html).toContain('<a href="/docs/">Docs</a>');
    } finally {
      await withConsole.stop();
    }
  });

  it('have a table of contents for each guide with headings (O2)', async () => {
    const page = await pageOf('guides/platform/');
    const [, contents = ''] = /aria-label="On this page">(.*?)<\/nav>/s.exec(page) ?? [];
    const headings = [...page.matchAll(/<h[23] id="([^"]+)"><a href="#\1">/g)].map(([, id]) => id);
    expect([...contents.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)).toEqual(headings);
    expect(headings).toContain('quick-start');
    // The line that takes its place in the file.
    expect(page.match(/href="#quick-start"/g)).toHaveLength(2);
  });

  it.each([
    ['account_not_found', '/docs/guides/errors/#codes-of-an-answer', '<mark>account_not_found</mark>'],
    ['Retry-After', '/docs/guides/loading/#handle-failures', '<mark>Retry</mark>-<mark>After</mark>'],
    ['POST notes/create', '/docs/#/notes/createNotes', '<mark>note</mark>'],
    ['account-transfer-status', '/docs/#/account%20imports/getAccountTransferStatus', 'status'],
    ['changes cursor', '/docs/feed/#/feed/listChanges', '<mark>cursor</mark>'],
    ['statment', '/docs/#/historical%20statements/createHistoricalStatements', '<mark>statement</mark>'],
    ['mappin', '/docs/loader/mapping/', '<mark>mapping</mark>'],
  ])('are searched, by words and by parts of them: %s (O2)', async (query, address, snippet) => {
    const page = await pageOf(`search?q=${encodeURIComponent(query)}`);
    expect(page).toContain(`<a href="${address}">`);
    expect(page).toContain(snippet);
    expect(page).toContain(`value="${query}"`);
  });

  it('say that nothing was found, and show what was searched for as text (O2)', async () => {
    expect(await pageOf('search?q=%3Cqqqqq%3E%22zzzzzzzz')).toContain(
      'No results for “&lt;qqqqq>&quot;zzzzzzzz”.',
    );
    for (const path of ['search', 'search?q=', 'search?q=%20'])
      expect(await pageOf(path)).toContain('Enter words');
    for (const path of ['search?q=a&q=b', `search?q=${'x'.repeat(10_000)}`, 'search?other=1'])
      expect((await get(path)).status).toBe(200);
    const { headers } = await get('search?q=note');
    expect(headers.get('content-security-policy')).toBe(
      (await get('')).headers.get('content-security-policy'),
    );
  });

  it('have the loader, and name its version, size and checksum (L15)', async () => {
    const program = Buffer.from(await (await get('loader/data-import-loader.mjs')).arrayBuffer());
    const sha256 = createHash('sha256').update(program).digest('hex');
    expect(await (await get('loader/data-import-loader.mjs.sha256')).text()).toBe(
      `${sha256}  data-import-loader.mjs\n`,
    );
    const page = await (await get('loader/')).text();
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    for (const named of [version, program.length.toLocaleString('en'), sha256]) expect(page).toContain(named);
  });

  it('are answered to HEAD, and errors in the usual form (O2)', async () => {
    const head = await service.call('/docs/', { method: 'HEAD' });
    expect([head.status, head.body]).toEqual([200, '']);
    expectError(await service.call('/docs/', { method: 'POST' }), 405, 'method_not_allowed', []);
    expectError(await service.call('/docs/package.json'), 404, 'not_found', []);
    expectError(await service.call('/docs/..%2fpackage.json'), 404, 'not_found', []);
    expectError(await service.call('/docs/%2e%2e/package.json'), 404, 'not_found', []);
  });

  it('are not there with DOCS=off (O2)', async () => {
    const without = await startService({ DOCS: 'off', CONSOLE: 'on' });
    try {
      for (const path of [
        '/docs',
        '/docs/',
        '/docs/openapi.json',
        '/docs/assets/console.css',
        '/docs/search',
        '/docs/loader/',
      ]) {
        expectError(await without.call(path), 404, 'not_found', []);
      }
      const operator = await signInAsOperator(without);
      expect((await operator.get('/console/')).html).not.toContain('href="/docs/"');
    } finally {
      await without.stop();
    }
  });
});
