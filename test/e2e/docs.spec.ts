import { readFileSync } from 'node:fs';
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
    expect(links).toHaveLength(8);
    for (const link of links) {
      expect((await fetch(service.baseUrl + link)).status).toBe(200);
      expect(link).toMatch(/^\/docs\//);
    }
    expect(page).not.toMatch(/<script>|<style|style=|\son\w+=|https?:/);
    expect(await (await fetch(`${service.baseUrl}/docs`)).text()).toBe(page);
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
      for (const path of ['/docs', '/docs/', '/docs/openapi.json', '/docs/swagger-ui-bundle.js']) {
        expectError(await without.call(path), 404, 'not_found', []);
      }
    } finally {
      await without.stop();
    }
  });
});
