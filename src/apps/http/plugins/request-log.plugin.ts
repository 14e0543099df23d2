import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AuthenticatedRequest } from '../../../auth/caller.js';
import { originOf } from '../../../infrastructure/log/request-origin.js';

/**
 * Sends the request's id with every answer and writes one log line for every request, at the level in its route's configuration
 * (choices O1, T3, T17).
 */
export function requestLogPlugin(instance: FastifyInstance): void {
  instance.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    const response: LoggedResponse = reply.raw;
    response[LOGGED] = { request, reply, isAnswered: false };
    // Fastify has no hook for a connection that closes after the request was read completely and before the answer.
    response.on('finish', markAnswered).on('close', logClosed);
    done();
  });
}

const LOGGED = Symbol('what is logged of a response');

/** A response with the data of its log line. Two functions serve all responses; a closure for each would cost more than the line. */
type LoggedResponse = ServerResponse & {
  [LOGGED]?: { readonly request: AuthenticatedRequest; readonly reply: FastifyReply; isAnswered: boolean };
};

function markAnswered(this: LoggedResponse): void {
  const logged = this[LOGGED];
  if (logged) logged.isAnswered = true;
}

function logClosed(this: LoggedResponse): void {
  const logged = this[LOGGED];
  if (logged) logRequest(logged.request, logged.reply, logged.isAnswered);
}

function logRequest(request: AuthenticatedRequest, reply: FastifyReply, isAnswered: boolean): void {
  const { requestId, traceId } = originOf(request);
  // Spreading the origin's members would make this line take four times as long.
  const line = {
    request_id: requestId,
    trace_id: traceId,
    method: request.method,
    route: request.routeOptions.url,
    status: isAnswered ? reply.statusCode : undefined,
    duration_ms: Math.round(reply.elapsedTime * 10) / 10,
    organisation: request.caller?.organisationId,
    platform_key: request.platform?.keyId,
  };
  const { logLevel = 'info' } = request.routeOptions.config as { logLevel?: 'debug' | 'info' };
  request.log[logLevel](line, isAnswered ? 'answered' : abortedBy(request.raw));
}

/** Which side closed the connection before the answer was complete. */
function abortedBy({ socket }: IncomingMessage): string {
  const failure: NodeJS.ErrnoException | null = socket.errored;
  // Since version 22, Node.js reports ECANCELED for data still to be written when the service closes the connection.
  const hasFailed = failure !== null && failure.code !== 'ECANCELED';
  return socket.readableEnded || hasFailed ? 'aborted by the client' : 'aborted by the service';
}
