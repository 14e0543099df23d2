import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { fromFramework, headersOf, logFailure } from '../../common/error-response.js';
import { AppError, ERRORS } from '../../common/errors.js';
import { IS_PUBLIC } from '../caller.js';
import { graphqlCode, operationError, ours } from './graphql-errors.js';

/** Address of the GraphQL interface; the form with a trailing slash is the same route (contract T1). */
export const GRAPHQL_PATH = '/v1/graphql';

/** Largest request to the GraphQL interface; its operations are short and need no token to be read. */
const BODY_MAX_BYTES = 131_072;

const GRAPHQL_RESPONSE = 'application/graphql-response+json';

/** Requests that were well-formed by the rules of GraphQL over HTTP, whatever their operation was worth. */
const wellFormed = new WeakSet<IncomingMessage>();

/** Remember that a request holds a GraphQL document; what is wrong from here on is wrong with the document. */
export function markWellFormed(request: FastifyRequest): void {
  wellFormed.add(request.raw);
}

/**
 * Fit the route that the GraphQL server registers for itself into the house. To be called before it does.
 *
 * It is open to everybody, since one of its operations is how a token is obtained; a guard stands before the others.
 * What fails before GraphQL is asked is answered in GraphQL's shape.
 *
 * A web page of somebody else can do no harm here: nothing is granted for a cookie or an address, a POST must be
 * `application/json`, for which a browser asks first, and a GET executes queries only.
 *
 * Source: contract A2 and T16; GraphQL over HTTP, sections "Status Codes" and "Content-Types".
 */
export function fitGraphqlRoute(instance: FastifyInstance, bodyLimitBytes: number): void {
  instance.addHook('onRoute', (route) => {
    if (route.url !== GRAPHQL_PATH) return;
    route.config = { ...route.config, [IS_PUBLIC]: true };
    route.bodyLimit = Math.min(bodyLimitBytes, BODY_MAX_BYTES);
    route.errorHandler = answerFailure;
    route.onSend = [settleStatus, ...[route.onSend ?? []].flat()];
    if (route.method === 'HEAD') route.handler = answeredAsGet(route.handler);
  });
}

/** The GraphQL server knows GET and POST; a HEAD is a GET whose answer's body stays here. */
function answeredAsGet(handler: RouteOptions['handler']): RouteOptions['handler'] {
  return function (request, reply) {
    return handler.call(this, Object.create(request, { method: { value: 'GET' } }) as typeof request, reply);
  };
}

/**
 * A document that cannot be executed is a 400 in the newer media type. In `application/json` any status but 200 would
 * say that the answer came from something in between that knows no GraphQL.
 */
function settleStatus(
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

function answerFailure(error: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply): void {
  const failure = error instanceof AppError ? error : (fromFramework(error) ?? ours(error));
  logFailure(failure, request);
  const type = request.headers.accept?.includes(GRAPHQL_RESPONSE) ? GRAPHQL_RESPONSE : 'application/json';
  void reply
    .status(ERRORS[failure.code].status)
    .headers(headersOf(failure))
    .type(`${type}; charset=utf-8`)
    .send(JSON.stringify({ errors: [operationError(graphqlCode(failure), failure.message)] }));
}
