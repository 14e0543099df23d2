import type { FastifyInstance, FastifyRequest } from 'fastify';
import { originMembers, originOf } from '../../common/request-origin.js';

const CONSEQUENCE =
  'if it is a proxy of yours, all callers behind it count as one address: their failed token calls share one limit';

/**
 * Warns once when a proxy seems to be in front of the service and its header is not read. Such a service works, but all
 * callers have the proxy's address, so that one of them who guesses keys limits the failing calls of all (choice A9).
 */
export function proxyHeadersPlugin(instance: FastifyInstance): void {
  let hasWarned = false;
  instance.addHook('onRequest', (request, _reply, done) => {
    const problem = hasWarned ? undefined : unreadHeader(request);
    if (problem !== undefined) {
      hasWarned = true;
      request.log.warn(originMembers(originOf(request)), problem);
    }
    done();
  });
}

/** @returns what is not read of the client's address, and why */
function unreadHeader(request: FastifyRequest): string | undefined {
  const { headers, socket } = request.raw;
  const isForwardedFor = headers['x-forwarded-for'] !== undefined;
  if (!isForwardedFor && headers.forwarded === undefined) return undefined;
  // The first address is that of the peer; others follow when it is in TRUSTED_PROXIES and has sent X-Forwarded-For.
  if (request.ips !== undefined && request.ips.length > 1) return undefined;
  return isForwardedFor
    ? `A request came with X-Forwarded-For from ${socket.remoteAddress}, which is not in TRUSTED_PROXIES, so the header is ignored; ${CONSEQUENCE}.`
    : `A request came with Forwarded from ${socket.remoteAddress}, which is not read: a proxy must send X-Forwarded-For and be in TRUSTED_PROXIES; ${CONSEQUENCE}.`;
}
