import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../../common/page-headers.js';
import { serveStaticFiles } from '../plugins/static-files.js';
import { DOCS_FILES } from './docs-files.js';

/** Swagger UI has its icons in its style sheet; it needs no style and no script within the page. */
const HEADERS = pageHeaders({ 'img-src': "'self' data:", 'form-action': "'none'" });

/**
 * Serves the page of the REST interface, the documents of both interfaces, the guides for loading, and the loader, to everyone.
 *
 * Source: choices O2, L15.
 */
export function docsPlugin(instance: FastifyInstance): void {
  serveStaticFiles(instance, '/docs/', DOCS_FILES, HEADERS);
}
