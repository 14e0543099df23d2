import type { FastifyInstance } from 'fastify';
import { VERSION } from '../../../infrastructure/config/version.js';

/**
 * Headers of every answer: customers' data and tokens are kept by no browser and no proxy, no browser takes an answer for another
 * media type than its own, and a client finds out whether it fits the service (choices T16, L15).
 */
export const ANSWER_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-data-import-version': VERSION,
} as const;

/** Sends them with every answer; a route may set others in their place. */
export function answerHeadersPlugin(instance: FastifyInstance): void {
  instance.addHook('onRequest', (_request, reply, done) => {
    reply.headers(ANSWER_HEADERS);
    done();
  });
}
