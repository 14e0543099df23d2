import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { originMembers, originOf } from '../../../infrastructure/log/request-origin.js';
import { addRouteHook } from './route-hooks.js';

/** @returns which header of a request is ignored and why; undefined when none is */
type Check = (request: FastifyRequest) => string | undefined;

/**
 * Warns once when a proxy seems to be in front of the service and its headers are not read. The service works, but all callers have
 * the proxy's address: one caller who guesses keys uses up the limit of failed calls for all (choice A9). Pages sent over TLS also set
 * cookies that are not limited to TLS (choice A10).
 *
 * @param isFor the routes that use the address or the protocol
 */
export function proxyHeadersPlugin(instance: FastifyInstance, isFor: (route: RouteOptions) => boolean): void {
  const checks = new Set<Check>([unreadAddress, unreadProtocol]);
  addRouteHook(instance, 'onRequest', isFor, (request, _reply, done) => {
    for (const check of checks) {
      const problem = check(request);
      if (problem === undefined) continue;
      checks.delete(check);
      request.log.warn(originMembers(originOf(request)), problem);
    }
    done();
  });
}

const ONE_ADDRESS =
  'if it is a proxy of yours, all callers behind it count as one address: their failed token calls share one limit';

const unreadAddress: Check = (request) => {
  const { headers, socket } = request.raw;
  const isForwardedFor = headers['x-forwarded-for'] !== undefined;
  if (!isForwardedFor && headers.forwarded === undefined) return undefined;
  // The first address is the peer's. Others follow when the peer is in TRUSTED_PROXIES and sent X-Forwarded-For.
  if (request.ips !== undefined && request.ips.length > 1) return undefined;
  return isForwardedFor
    ? `A request came with X-Forwarded-For from ${socket.remoteAddress}, which is not in TRUSTED_PROXIES, so the header is ignored; ${ONE_ADDRESS}.`
    : `A request came with Forwarded from ${socket.remoteAddress}, which is not read: a proxy must send X-Forwarded-For and be in TRUSTED_PROXIES; ${ONE_ADDRESS}.`;
};

const unreadProtocol: Check = (request) => {
  const { headers, socket } = request.raw;
  if (headers['x-forwarded-proto'] !== 'https' || request.protocol === 'https') return undefined;
  return `A request came with X-Forwarded-Proto: https from ${socket.remoteAddress}, which is not in TRUSTED_PROXIES, so the header is ignored; if it is a proxy of yours, the cookies of the console are not limited to TLS.`;
};
