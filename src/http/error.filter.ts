import { Catch, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { AuthenticatedRequest } from '../auth/caller.js';
import { ERRORS } from '../common/errors.js';
import { logError } from '../common/log-error.js';
import { toAppError } from '../common/to-app-error.js';
import { isForPage } from '../console/common/below-console.js';
import type { ConsoleErrorFilter } from '../console/layout/console-error.filter.js';
import type { RefusalsService } from '../imports/refusals/refusals.service.js';

/**
 * Answers everything that a request throws with a status and a body. Two kinds of errors never get here: malformed HTTP
 * (plugins/client-error-handler.ts), and those of GraphQL, whose body has another format
 * (auth/graphql/graphql-route.ts). What a request for a page of the console throws is answered with a page.
 *
 * Source: specification 7; choices T2, T4.
 */
@Catch()
@Injectable()
export class ErrorFilter implements ExceptionFilter {
  /** @param pages undefined when there is no console */
  constructor(
    private readonly refusals: RefusalsService,
    private readonly pages: ConsoleErrorFilter | undefined,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    if (host.getType<string>() !== 'http') throw thrown;
    const request = host.switchToHttp().getRequest<AuthenticatedRequest>();
    if (this.pages && isForPage(request)) {
      this.pages.catch(thrown, host);
      return;
    }
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = toAppError(thrown);
    logError(error, request);
    if (reply.raw.headersSent) {
      // Only a closed connection shows the client that the answer is incomplete.
      reply.raw.destroy();
      return;
    }
    void reply
      .status(ERRORS[error.code].status)
      .headers(error.headers)
      .send({ ...error.extra, detail: error.message, code: error.code, errors: error.errors });
    this.refusals.record(error, request);
  }
}
