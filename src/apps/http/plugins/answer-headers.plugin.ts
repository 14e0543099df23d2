import type { FastifyInstance } from 'fastify';
import { VERSION } from '../../../infrastructure/config/version.js';

/**
 * Headers of every answer. No browser or proxy stores customers' data or tokens, no browser guesses another media type, and a client
 * can check whether it is compatible with the service (choices T16, L15).
 */
export const ANSWER_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-data-import-version': VERSION,
} as const;

/** Sends these headers with every answer. A route may override them. */
export function answerHeadersPlugin(instance: FastifyInstance): void {
  instance.addHook('onRequest', (_request, reply, done) => {
    reply.headers(ANSWER_HEADERS);
    done();
  });
}
