import type { IncomingMessage } from 'node:http';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RouteOptions,
} from 'fastify';
import { AppError } from '../../../infrastructure/errors/errors.js';
import { leadHome } from './home.js';
import { addRouteHook } from './route-hooks.js';
import { hasEmptySegment, type RouteTable } from './route-table.js';

/** An address without a route. */
const UNKNOWN_ADDRESS = '/nowhere';

/** A name, an IPv4 address or an IPv6 address in brackets, with an optional port. It may be empty. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\w.:%-]+\])(?::\d*)?$/;

interface RoutingOptions {
  readonly home?: string | undefined;
  readonly prepare?: ((request: FastifyRequest) => Promise<void>) | undefined;
}

/**
 * Rejects an invalid Host, framing that a proxy may read differently, and an unknown address or method, all before authentication and
 * before the body is read. It also answers `OPTIONS`, which has no routes of its own.
 *
 * @param home where a browser is redirected from `/`; when it is omitted, `/` is an unknown address
 * @param prepare called before an unknown address or method is answered
 * Source: choices T4, T10, T16, C15.
 */
export function routingErrorsPlugin(
  instance: FastifyInstance,
  routes: RouteTable,
  { home, prepare }: RoutingOptions,
): void {
  const answerUnknown: onRequestHookHandler = (request, reply, done) => {
    if (home !== undefined && leadHome(request, reply, home)) return;
    const allowed = routes.allowedMethods(request.raw.url ?? '');
    if (request.method === 'OPTIONS' && allowed.length > 0) {
      void reply.status(204).header('allow', allowed.join(', ')).send();
      return;
    }
    const prepared = prepare?.(request) ?? Promise.resolve();
    prepared.then(() => {
      done(routingError(allowed));
    }, done);
  };
  instance.addHook('onRequest', function (request, reply, done) {
    const problem = problemOfHost(request.raw) ?? problemOfFraming(request.raw);
    if (problem !== undefined) done(new AppError('parse_error', { detail: problem }));
    else if (request.is404 || request.method === 'OPTIONS') answerUnknown.call(this, request, reply, done);
    else done();
  });
  const hasParameters = ({ url }: RouteOptions): boolean => url.includes(':');
  addRouteHook(instance, 'onRequest', hasParameters, function (request, reply, done) {
    if (hasEmptySegment(request.params as Record<string, string>)) {
      answerUnknown.call(this, request, reply, done);
    } else {
      done();
    }
  });
}

/** @returns undefined also for an HTTP/1.0 request without a Host (RFC 9112, section 3.2) */
function problemOfHost({ headers: { host }, httpVersion }: IncomingMessage): string | undefined {
  if (host !== undefined) return HOST.test(host) ? undefined : 'The Host header is not valid.';
  return httpVersion === '1.1' ? 'The Host header is missing.' : undefined;
}

/** Node.js uses the first of two header lines and reads a body with unknown coding to its end. A proxy may do otherwise. */
function problemOfFraming({ headers, rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  if (hasRepeated(rawHeaders)) return 'The header Host or Authorization is repeated.';
  const coding = headers['transfer-encoding'];
  const isRead = coding === undefined || (coding === 'chunked' && httpVersion !== '1.0');
  return isRead ? undefined : 'The transfer coding must be chunked, and HTTP/1.0 has none.';
}

/** Whether Host or Authorization is repeated. The getter `headersDistinct` would take five times as long for each request. */
function hasRepeated(rawHeaders: readonly string[]): boolean {
  let [hosts, authorizations] = [0, 0];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase();
    if (name === 'host') hosts += 1;
    else if (name === 'authorization') authorizations += 1;
  }
  return hosts > 1 || authorizations > 1;
}

function routingError(allowed: readonly string[]): AppError {
  if (allowed.length === 0) return new AppError('not_found');
  return new AppError('method_not_allowed', { headers: { allow: allowed.join(', ') } });
}

/**
 * Fastify's handler for an address that it cannot decode or that has an over-long segment. Fastify runs no hooks for such a
 * request, so it is routed again under an unknown address. It is then rejected, logged and counted like any other request
 * (choices T3, T4).
 */
export function answerUndecodableAddress(
  _error: Error,
  { raw, server }: FastifyRequest,
  reply: FastifyReply,
): void {
  raw.url = UNKNOWN_ADDRESS;
  server.routing(raw, reply.raw);
}
