import type { IncomingMessage } from 'node:http';
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteHandlerMethod,
} from 'fastify';
import { ERRORS, fieldError, validationError, type AppError } from '../../infrastructure/errors/errors.js';
import { logError } from '../../infrastructure/log/log-error.js';
import { FairQueue } from '../../infrastructure/limits/fair-queue.js';
import { IS_PUBLIC } from '../../infrastructure/routes/public.js';
import { toAppError } from '../../infrastructure/errors/to-app-error.js';
import { graphqlCode, operationError } from './graphql-errors.js';

/** Path of the GraphQL interface. The path with a trailing slash is the same route (choice T1). */
export const GRAPHQL_PATH = '/v1/graphql';

/** Largest body of a GraphQL request. The limit is smaller than REST's, because the body is read before authentication. */
const BODY_MAX_BYTES = 131_072;

const GRAPHQL_RESPONSE = 'application/graphql-response+json';

/** Most documents without an accepted token that a process handles concurrently; others wait. */
const UNAUTHENTICATED_MAX = 4;
/** The query parameters of GraphQL over HTTP (section "GET"). */
const PARAMETERS = new Set(['query', 'operationName', 'variables', 'extensions']);

/** Requests that contain a GraphQL document, so that a 400 is an error in the document. */
const wellFormed = new WeakSet<IncomingMessage>();

export function markWellFormed(request: FastifyRequest): void {
  wellFormed.add(request.raw);
}

/**
 * The route of the GraphQL interface.
 *
 * It is public, because one of its operations obtains a token; the guard (caller.guard.ts) protects the others. An error
 * before execution is answered in GraphQL's format.
 *
 * Cross-site requests are harmless: no cookie or address grants anything, a POST must be `application/json`, for which a
 * browser sends a preflight request, and a GET executes queries only.
 *
 * @param apollo resolves with Apollo's handler
 * @param authenticate rejects unless the request has an accepted token
 * Source: choices A2 and T16; GraphQL over HTTP, sections "Status Codes" and "Content-Types".
 */
export function graphqlRoutePlugin(
  instance: FastifyInstance,
  bodyLimitBytes: number,
  apollo: () => Promise<RouteHandlerMethod>,
  authenticate: (request: FastifyRequest) => Promise<unknown>,
): void {
  const unauthenticatedQueue = new FairQueue(UNAUTHENTICATED_MAX, UNAUTHENTICATED_MAX);
  instance.route({
    url: GRAPHQL_PATH,
    method: ['GET', 'POST', 'OPTIONS'],
    config: { [IS_PUBLIC]: true },
    bodyLimit: Math.min(bodyLimitBytes, BODY_MAX_BYTES),
    errorHandler: answerError,
    onSend: setStatus,
    handler: async function (request, reply) {
      const unexpected = Object.keys(request.query as object).filter((name) => !PARAMETERS.has(name));
      if (unexpected.length > 0)
        throw validationError(unexpected.map((name) => fieldError('unexpected_field', name)));
      const handler = await apollo();
      const answer = (): Promise<unknown> =>
        Promise.resolve(handler.call(this, readableByApollo(request), reply));
      // The guard reports why a token is not accepted, if the operation needs one.
      const caller = await authenticate(request).catch(() => undefined);
      return caller ? answer() : unauthenticatedQueue.run('', answer);
    },
  });
}

/**
 * Apollo handles GET and POST only, so a HEAD is passed on as a GET, whose body is not sent. Apollo reads the query string from
 * a URL that it builds with the request's host. That URL would be invalid without a Host header or with a proxy's invalid
 * `X-Forwarded-Host`, so every request gets the same host.
 */
function readableByApollo(request: FastifyRequest): FastifyRequest {
  Object.defineProperties(request, { protocol: { value: 'http' }, hostname: { value: 'localhost' } });
  return request.method === 'HEAD'
    ? (Object.create(request, { method: { value: 'GET' } }) as FastifyRequest)
    : request;
}

/**
 * A document that cannot be executed gets a 400 in the newer media type, as Apollo answers, and a 200 in `application/json`,
 * where any other status could come from an intermediary that does not know GraphQL.
 */
function setStatus(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const type = String(reply.getHeader('content-type'));
  if (reply.statusCode === 400 && wellFormed.has(request.raw) && type.startsWith('application/json')) {
    reply.status(200);
  }
  done(null, payload);
}

function answerError(thrown: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply): void {
  const error = toAppError(thrown);
  logError(error, request);
  const type = request.headers.accept?.includes(GRAPHQL_RESPONSE) ? GRAPHQL_RESPONSE : 'application/json';
  void reply
    .status(ERRORS[error.code].status)
    .headers(error.headers)
    .type(`${type}; charset=utf-8`)
    .send(JSON.stringify({ errors: [operationError(graphqlCode(error), error.message)] }));
}
