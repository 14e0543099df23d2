import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pageHeaders } from '../../common/page-headers.js';
import { IS_PUBLIC } from '../../common/public.js';
import { serveStaticFiles } from '../plugins/static-files.js';
import { docsFiles, HTML } from './docs-files.js';
import { renderDocs } from './docs-layout.js';
import { searchPage } from './search-page.js';

/** Swagger UI has its icons in its style sheet; it needs no style and no script within the page. */
const HEADERS = pageHeaders({ 'img-src': "'self' data:" });

type Search = FastifyRequest<{ Querystring: { q?: string | string[] } }>;

/**
 * Serves the pages of the interfaces, their documents, the guides for loading with their search, and the loader, to everyone.
 *
 * @param hasConsole whether the pages lead to the console
 * Source: choices O2, L15.
 */
export function docsPlugin(instance: FastifyInstance, hasConsole: boolean): void {
  serveStaticFiles(instance, '/docs/', docsFiles(hasConsole), HEADERS);
  instance.get('/docs/search', { config: { [IS_PUBLIC]: true } }, async ({ query: { q } }: Search, reply) => {
    void reply.headers(HEADERS).type(HTML);
    return renderDocs(await searchPage([q ?? ''].flat().join(' ')), hasConsole);
  });
}
