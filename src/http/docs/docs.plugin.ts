import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { IS_PUBLIC } from '../../common/public.js';
import { pageHeaders } from '../page-headers.js';
import { DOCS_ADDRESSES, DocsFiles, type DocsFile } from './docs-files.js';

/** Swagger UI has its icons in its style sheet; it needs no style and no script within the page. */
const HEADERS = {
  ...pageHeaders({ 'img-src': "'self' data:", 'form-action': "'none'" }),
  // The next version of the service has other content at the same address.
  'cache-control': 'no-cache',
};

/**
 * Serves the page of the REST interface and the documents of both interfaces, to everyone. Nothing is read before it is asked
 * for.
 *
 * Source: choice O2.
 */
export function docsPlugin(instance: FastifyInstance): void {
  const files = new DocsFiles();
  for (const address of DOCS_ADDRESSES) {
    instance.get(
      `/docs/${address}`,
      // To compress them for everyone who asks would take more of the processor than an import.
      { config: { [IS_PUBLIC]: true }, compress: false },
      async (request, reply) => send(request, reply, await files.find(address)),
    );
  }
}

function send(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, content, etag }: DocsFile,
): FastifyReply {
  void reply.headers({ ...HEADERS, etag });
  return headers['if-none-match'] === etag ? reply.status(304).send() : reply.type(type).send(content);
}
