import { Catch, Inject, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ERRORS } from '../../common/errors.js';
import { logError } from '../../common/log-error.js';
import { toAppError } from '../../common/to-app-error.js';
import { ENVIRONMENT } from '../../config/config.module.js';
import type { Environment } from '../../config/settings.js';
import { ADDRESSES, withQuery } from '../addresses.js';
import { NotAllowed, PageNotFound, type Page } from '../page.js';
import { SignInRequired } from '../viewers/session.guard.js';
import type { ConsoleRequest } from '../viewers/viewer.js';
import { errorPage } from './error.page.js';
import { renderPage } from './render-page.js';

/** Answers what a page throws: a page of the error, or the way to sign in. */
@Catch()
@Injectable()
export class ConsoleErrorFilter implements ExceptionFilter {
  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ConsoleRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (thrown instanceof SignInRequired) {
      const next = thrown.returnTo === ADDRESSES.overview ? undefined : thrown.returnTo;
      void reply.status(303).header('location', withQuery(ADDRESSES.signIn, { next })).send();
      return;
    }
    void reply.send(renderPage(this.pageOf(thrown, request), request, reply, this.environment));
  }

  private pageOf(thrown: unknown, request: ConsoleRequest): Page {
    if (thrown instanceof PageNotFound) return errorPage(404);
    if (thrown instanceof NotAllowed) return errorPage(403);
    const error = toAppError(thrown);
    logError(error, request);
    return errorPage(ERRORS[error.code].status, error.message);
  }
}
