import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { originMembers, originOf } from '../../../infrastructure/log/request-origin.js';
import { addRouteHook } from './route-hooks.js';

/** What is not read of a request, and why; nothing when all is read. */
type Look = (request: FastifyRequest) => string | undefined;

/**
 * Warns once when a proxy seems to be in front of the service and its headers are not read. Such a service works, but all callers
 * have the proxy's address, so that one of them who guesses keys limits the failing calls of all (choice A9), and pages that were sent
 * over TLS set cookies that are not kept to it (choice A10).
 *
 * @param isFor the routes that use the address or the protocol
 */
export function proxyHeadersPlugin(instance: FastifyInstance, isFor: (route: RouteOptions) => boolean): void {
  const looks = new Set<Look>([unreadAddress, unreadProtocol]);
  addRouteHook(instance, 'onRequest', isFor, (request, _reply, done) => {
    for (const look of looks) {
      const problem = look(request);
      if (problem === undefined) continue;
      looks.delete(look);
      request.log.warn(originMembers(originOf(request)), problem);
    }
    done();
  });
}

const ONE_ADDRESS =
  'if it is a proxy of yours, all callers behind it count as one address: their failed token calls share one limit';

const unreadAddress: Look = (request) => {
  const { headers, socket } = request.raw;
  const isForwardedFor = headers['x-forwarded-for'] !== undefined;
  if (!isForwardedFor && headers.forwarded === undefined) return undefined;
  // The first address is that of the peer; others follow when it is in TRUSTED_PROXIES and has sent X-Forwarded-For.
  if (request.ips !== undefined && request.ips.length > 1) return undefined;
  return isForwardedFor
    ? `A request came with X-Forwarded-For from ${socket.remoteAddress}, which is not in TRUSTED_PROXIES, so the header is ignored; ${ONE_ADDRESS}.`
    : `A request came with Forwarded from ${socket.remoteAddress}, which is not read: a proxy must send X-Forwarded-For and be in TRUSTED_PROXIES; ${ONE_ADDRESS}.`;
};

const unreadProtocol: Look = (request) => {
  const { headers, socket } = request.raw;
  if (headers['x-forwarded-proto'] !== 'https' || request.protocol === 'https') return undefined;
  return `A request came with X-Forwarded-Proto: https from ${socket.remoteAddress}, which is not in TRUSTED_PROXIES, so the header is ignored; if it is a proxy of yours, the cookies of the console are not limited to TLS.`;
};
