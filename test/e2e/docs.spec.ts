import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GUIDES } from '../../src/http/docs/guides.js';
import { expectError } from '../support/expect-error.js';
import { startService, type TestService } from '../support/service.js';

interface OpenApi {
  readonly servers: unknown;
}

const FILES = [
  ['', 'text/html; charset=utf-8'],
  ['page.js', 'text/javascript; charset=utf-8'],
  ['page.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
  ['openapi.json', 'application/json; charset=utf-8'],
  ['platform.json', 'application/json; charset=utf-8'],
  ['schema.graphql', 'text/plain; charset=utf-8'],
  ['loader/', 'text/html; charset=utf-8'],
  ['loader/data-import-loader.mjs', 'text/javascript; charset=utf-8'],
  ['loader/data-import-loader.mjs.sha256', 'text/plain; charset=utf-8'],
  ['loader/mapping.schema.json', 'application/json; charset=utf-8'],
  ...GUIDES.map(({ address }) => [address, 'text/html; charset=utf-8'] as const),
] as const;

describe('the documents', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${service.baseUrl}/docs/${path}`, { headers });

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
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; img-src 'self' data:",
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

  it('are a page without scripts, styles or addresses of others in it (O2)', async () => {
    const page = await (await get('')).text();
    const links = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link]) => link!);
    expect(links).toHaveLength(13);
    for (const link of links) {
      expect((await fetch(service.baseUrl + link)).status).toBe(200);
      expect(link).toMatch(/^\/docs\//);
    }
    expect(page).not.toMatch(/<script>|<style|style=|\son\w+=|https?:/);
    expect(await (await fetch(`${service.baseUrl}/docs`)).text()).toBe(page);
  });

  it('are guides whose links lead to something that is there (O2)', async () => {
    const pages = new Map<string, string>();
    const page = async (address: string): Promise<string> => {
      const known = pages.get(address) ?? (await (await fetch(service.baseUrl + address)).text());
      pages.set(address, known);
      return known;
    };
    for (const { address } of [{ address: 'loader/' }, ...GUIDES]) {
      const text = await page(`/docs/${address}`);
      expect(text).toMatch(/<h1[^>]*>[^<]/);
      const links = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link]) => link!);
      for (const link of links.filter((one) => !one.startsWith('https:'))) {
        const { pathname, hash } = new URL(link, `${service.baseUrl}/docs/${address}`);
        expect([link, (await fetch(service.baseUrl + pathname)).status]).toEqual([link, 200]);
        if (hash !== '') expect(await page(pathname)).toContain(`id="${decodeURIComponent(hash.slice(1))}"`);
      }
    }
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
    const without = await startService({ DOCS: 'off' });
    try {
      for (const path of [
        '/docs',
        '/docs/',
        '/docs/openapi.json',
        '/docs/swagger-ui-bundle.js',
        '/docs/loader/',
      ]) {
        expectError(await without.call(path), 404, 'not_found', []);
      }
    } finally {
      await without.stop();
    }
  });
});
