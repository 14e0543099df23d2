import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { signInAsOperator } from '../../../support/console.js';
import { expectError } from '../../../support/expect-error.js';
import { samplesIn } from '../../../support/docs-samples.js';
import { startService, type TestService } from '../../../support/service.js';
import { inBlock, setUp } from '../../../support/set-up.js';

interface OpenApi {
  readonly servers: unknown;
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

const GUIDES = [
  ...['guides/write-a-client/', 'guides/client/', 'guides/errors/', 'guides/proof/', 'guides/platform/'],
  ...['guides/load-files/', 'loader/', 'loader/manual/', 'loader/mapping/'],
];
const PAGES = ['', 'feed/', ...GUIDES];
const FILES = [
  ...PAGES.map((address) => [address, 'text/html; charset=utf-8'] as const),
  ['docs.css', 'text/css; charset=utf-8'],
  ['icon.svg', 'image/svg+xml'],
  ['openapi.json', 'application/json; charset=utf-8'],
  ['platform.json', 'application/json; charset=utf-8'],
  ['schema.graphql', 'text/plain; charset=utf-8'],
  ['loader/data-import-loader.mjs', 'text/javascript; charset=utf-8'],
  ['loader/data-import-loader.mjs.sha256', 'text/plain; charset=utf-8'],
  ['loader/mapping.schema.json', 'application/json; charset=utf-8'],
] as const;

function committed(name: string): OpenApi {
  return JSON.parse(readFileSync(`contract/${name}`, 'utf8')) as OpenApi;
}

describe('the documents', () => {
  const service = setUp(() => startService({ CONSOLE: 'on' }));

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${service.baseUrl}/docs/${path}`, { headers });
  const pageOf = async (address: string): Promise<string> => (await get(address)).text();

  it.each(['openapi.json', 'platform.json'])(
    'have the committed %s, with the server that was asked (O2)',
    async (name) => {
      const { servers, ...served } = (await (await get(name)).json()) as OpenApi;
      expect({ ...served, servers: committed(name).servers }).toEqual(committed(name));
      expect(servers).toEqual([{ url: '/' }]);
    },
  );

  it('have the committed GraphQL schema (O2)', async () => {
    expect(await pageOf('schema.graphql')).toBe(readFileSync('contract/schema.graphql', 'utf8'));
  });

  it.each(FILES)(
    'are public, cannot be framed, and are sent again only after a change: /docs/%s (O2)',
    async (path, type) => {
      const { status, headers } = await get(path, { 'accept-encoding': 'identity' });
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': type,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cache-control': 'no-cache',
        'content-security-policy':
          "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
      });
      const etag = headers.get('etag')!;
      const again = await get(path, { 'if-none-match': etag });
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
      expect((await get(path, { 'if-none-match': '"another"' })).status).toBe(200);
    },
  );

  it.each(PAGES)(
    'have no script, load nothing from elsewhere, and have no broken link: /docs/%s (O2)',
    async (address) => {
      const text = await pageOf(address);
      expect(text).toMatch(/<h1>[^<]/);
      expect(text).not.toMatch(/<script|<style|style=|\son\w+=/);
      const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const links = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link]) => link!);
      for (const link of links.filter((one) => !/^https:|^\/$/.test(one))) {
        const { pathname, hash } = new URL(link, `${service.baseUrl}/docs/${address}`);
        const target = await fetch(service.baseUrl + pathname);
        expect([link, target.status]).toEqual([link, 200]);
        if (hash !== '') expect(await target.text()).toContain(` id="${decodeURIComponent(hash.slice(1))}"`);
      }
      for (const other of PAGES) expect(links).toContain(`/docs/${other}`);
      expect([...text.matchAll(/<a href="([^"]*)" aria-current="page"/g)].map(([, link]) => link)).toEqual([
        `/docs/${address}`,
      ]);
    },
  );

  it('have every heading of a guide in its contents, once (O2)', async () => {
    const page = await pageOf('guides/platform/');
    const [, contents = ''] = /aria-current="page"[^]*?<ul>([^]*?)<\/ul>/.exec(page) ?? [];
    const headings = [...page.matchAll(/<h[2-4] id="([^"]+)"><a href="#\1">/g)].map(([, id]) => id);
    expect([...contents.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)).toEqual(headings);
    // The file's own line of contents is left out.
    expect(page.match(/href="#quick-start"/g)).toHaveLength(2);
  });

  it.each([
    ['', 'openapi.json', ['transactions[].line_items[].net_amount', 'payment_vendor_unavailable']],
    ['feed/', 'platform.json', ['data.items[].transaction_id', 'feed_restarted']],
  ])(
    'describe every operation with its fields, errors and samples: /docs/%s (O2)',
    async (address, name, parts) => {
      const page = await pageOf(address);
      for (const part of parts) expect(page).toContain(`<code>${part}</code>`);
      for (const [path, item] of Object.entries(committed(name).paths)) {
        for (const [method, { operationId }] of Object.entries(item)) {
          expect(page).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
          const samples = samplesIn(page, operationId);
          expect([operationId, [...samples.keys()]]).toEqual([operationId, ['curl', 'Client']]);
          const example = path.replace(/\{(import_supplier|code)\}/, 'ACME').replace(/\{\w+\}/, '1001');
          expect(samples.get('curl')).toContain(`"$BASE_URL${example}"`);
        }
      }
    },
  );

  it('have the loader, and name its version, size and checksum (L15)', async () => {
    const program = Buffer.from(await (await get('loader/data-import-loader.mjs')).arrayBuffer());
    const sha256 = createHash('sha256').update(program).digest('hex');
    expect(await pageOf('loader/data-import-loader.mjs.sha256')).toBe(`${sha256}  data-import-loader.mjs\n`);
    const page = await pageOf('loader/');
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    for (const named of [version, program.length.toLocaleString('en'), sha256]) expect(page).toContain(named);
  });

  it('are answered to HEAD, and their errors have the usual form (O2)', async () => {
    const head = await service.call('/docs/', { method: 'HEAD' });
    expect([head.status, head.body]).toEqual([200, '']);
    expectError(await service.call('/docs/', { method: 'POST' }), 405, 'method_not_allowed', []);
    for (const path of ['package.json', '..%2fpackage.json', '%2e%2e/package.json', 'search']) {
      expectError(await service.call(`/docs/${path}`), 404, 'not_found', []);
    }
  });

  it('are linked from the console, and absent with DOCS=off (O2)', async () => {
    const linkIn = async (one: TestService): Promise<boolean> => {
      const { html } = await (await signInAsOperator(one)).get('/console/');
      return html.includes('<a href="/docs/">Docs</a>');
    };
    expect(await linkIn(service)).toBe(true);
    await using without = inBlock(await startService({ DOCS: 'off', CONSOLE: 'on' }));
    expect(await linkIn(without)).toBe(false);
    for (const path of ['/docs', '/docs/', '/docs/openapi.json', '/docs/docs.css', '/docs/loader/']) {
      expectError(await without.call(path), 404, 'not_found', []);
    }
  });
});
