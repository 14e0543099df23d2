import { Catch, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { AuthenticatedRequest } from '../../auth/caller.js';
import { ERRORS } from '../../infrastructure/errors/errors.js';
import { logError } from '../../infrastructure/log/log-error.js';
import { toAppError } from '../../infrastructure/errors/to-app-error.js';
import type { HeardErrors, OwnErrors } from './plugins/route-errors.js';

/**
 * Answers everything that a request throws with a status and a body. Two kinds of errors never get here: malformed HTTP
 * (client-error-handler.ts) and GraphQL errors, whose body has another format (auth/graphql/graphql-route.ts).
 *
 * Source: specification 7; choices T2, T4.
 */
@Catch()
@Injectable()
export class ErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    if (host.getType<string>() !== 'http') throw thrown;
    const request = host.switchToHttp().getRequest<AuthenticatedRequest & OwnErrors>();
    const { errorFilter = request.errorFilter, hearError } = request.routeOptions.config as OwnErrors &
      HeardErrors;
    if (errorFilter) {
      errorFilter.catch(thrown, host);
      return;
    }
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = toAppError(thrown);
    logError(error, request);
    if (reply.raw.headersSent) {
      // Only closing the connection shows the client that the answer is incomplete.
      reply.raw.destroy();
      return;
    }
    void reply
      .status(ERRORS[error.code].status)
      .headers(error.headers)
      .send({ ...error.extra, detail: error.message, code: error.code, errors: error.errors });
    hearError?.(error, request);
  }
}
