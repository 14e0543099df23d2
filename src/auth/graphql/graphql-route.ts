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

/** Address of the GraphQL interface; the form with a trailing slash is the same route (choice T1). */
export const GRAPHQL_PATH = '/v1/graphql';

/** Largest body of a GraphQL request. It is smaller than that of REST, because it is read before authentication. */
const BODY_MAX_BYTES = 131_072;

const GRAPHQL_RESPONSE = 'application/graphql-response+json';

/** Documents that a process works on at a time where no accepted token comes with them; others wait. */
const STRANGERS_MAX = 4;
/** The query parameters of GraphQL over HTTP (section "GET"). */
const PARAMETERS = new Set(['query', 'operationName', 'variables', 'extensions']);

/** Requests that contain a GraphQL document: what is wrong with them is wrong with the document. */
const wellFormed = new WeakSet<IncomingMessage>();

export function markWellFormed(request: FastifyRequest): void {
  wellFormed.add(request.raw);
}

/**
 * The route of the GraphQL interface.
 *
 * It is public, because one of its operations obtains a token; the guard (caller.guard.ts) protects the others. An
 * error before execution is answered in the format of GraphQL.
 *
 * Cross-site requests are harmless: no cookie or address grants anything, a POST must be `application/json`, for which a
 * browser sends a preflight request, and a GET executes queries only.
 *
 * @param apollo resolves with Apollo's handler
 * @param authenticate rejects unless an accepted token comes with the request
 * Source: choices A2 and T16; GraphQL over HTTP, sections "Status Codes" and "Content-Types".
 */
export function graphqlRoutePlugin(
  instance: FastifyInstance,
  bodyLimitBytes: number,
  apollo: () => Promise<RouteHandlerMethod>,
  authenticate: (request: FastifyRequest) => Promise<unknown>,
): void {
  const strangers = new FairQueue(STRANGERS_MAX, STRANGERS_MAX);
  instance.route({
    url: GRAPHQL_PATH,
    method: ['GET', 'POST', 'OPTIONS'],
    config: { [IS_PUBLIC]: true },
    bodyLimit: Math.min(bodyLimitBytes, BODY_MAX_BYTES),
    errorHandler: answerError,
    onSend: setStatus,
    handler: async function (request, reply) {
      const surprise = Object.keys(request.query as object).filter((name) => !PARAMETERS.has(name));
      if (surprise.length > 0)
        throw validationError(surprise.map((name) => fieldError('unexpected_field', name)));
      const handler = await apollo();
      const answer = (): Promise<unknown> =>
        Promise.resolve(handler.call(this, readableByApollo(request), reply));
      // Why a token is not accepted is told to an operation that needs one.
      const caller = await authenticate(request).catch(() => undefined);
      return caller ? answer() : strangers.run('', answer);
    },
  });
}

/**
 * Apollo handles GET and POST only; a HEAD is a GET whose body is not sent. It reads the query of the address from a URL,
 * which it makes with the host of the request: without a Host header, or with a proxy's invalid `X-Forwarded-Host`, there
 * would be none, so every request has the same.
 */
function readableByApollo(request: FastifyRequest): FastifyRequest {
  Object.defineProperties(request, { protocol: { value: 'http' }, hostname: { value: 'localhost' } });
  return request.method === 'HEAD'
    ? (Object.create(request, { method: { value: 'GET' } }) as FastifyRequest)
    : request;
}

/**
 * A document that cannot be executed is a 400 in the newer media type, as Apollo answers, and a 200 in
 * `application/json`, where any other status could come from an intermediary that does not know GraphQL.
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
