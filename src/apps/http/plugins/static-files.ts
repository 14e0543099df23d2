import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { IS_PUBLIC } from '../../../infrastructure/routes/public.js';

/** Reads the content of an address when it is first requested. */
export interface StaticSource {
  /** Media type. */
  readonly type: string;
  readonly read: () => Promise<Buffer | string>;
}

interface StaticFile {
  readonly type: string;
  readonly content: Buffer;
  readonly etag: string;
}

/**
 * Serves files that do not change while the process runs, without authentication. Each is read once, when it is first requested.
 *
 * @param sources by their address below the prefix
 */
export function serveStaticFiles(
  instance: FastifyInstance,
  prefix: string,
  sources: Readonly<Record<string, StaticSource>>,
  headers: Readonly<Record<string, string>>,
): void {
  for (const [address, source] of Object.entries(sources)) {
    let file: Promise<StaticFile> | undefined;
    instance.get(
      prefix + address,
      // Compressing a file for every request would take more CPU time than an import.
      { config: { [IS_PUBLIC]: true }, compress: false },
      async (request, reply) => {
        file ??= read(source);
        // The next version of the service may have different content at the same address.
        void reply.headers({ ...headers, 'cache-control': 'no-cache' });
        return send(request, reply, await file);
      },
    );
  }
}

async function read({ type, read: readSource }: StaticSource): Promise<StaticFile> {
  const content = Buffer.from(await readSource());
  return { type, content, etag: `"${createHash('sha256').update(content).digest('base64url')}"` };
}

function send({ headers }: FastifyRequest, reply: FastifyReply, file: StaticFile): FastifyReply {
  const { type, content, etag } = file;
  void reply.header('etag', etag);
  return headers['if-none-match'] === etag ? reply.status(304).send() : reply.type(type).send(content);
}
