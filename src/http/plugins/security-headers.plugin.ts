import type { FastifyInstance } from 'fastify';

/**
 * Headers of every answer: customers' data and tokens are kept by no browser and no proxy, and no browser takes an answer for
 * another media type than its own.
 */
export const SECURITY_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** Sends them with every answer; a route may set others in their place (choice T16). */
export function securityHeadersPlugin(instance: FastifyInstance): void {
  instance.addHook('onRequest', (_request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    done();
  });
}
