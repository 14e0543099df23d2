import { Catch, Inject, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CommandError } from '../../../infrastructure/errors/command-error.js';
import { ERRORS } from '../../../infrastructure/errors/errors.js';
import { logError } from '../../../infrastructure/log/log-error.js';
import { toAppError } from '../../../infrastructure/errors/to-app-error.js';
import { ENVIRONMENT, type Environment } from '../../../infrastructure/config/settings.js';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { NotAllowed, PageNotFound, SignInRequired } from '../common/page-errors.js';
import type { Page } from './page.js';
import { pageBefore, wantedPage } from '../common/wanted-page.js';
import type { ConsoleRequest } from '../signed-in/signed-in-user.js';
import { errorPage } from './error.page.js';
import { renderPage } from './render-page.js';

/**
 * Answers an error of a request for a page with an error page or a redirect to the sign-in page. The filter of all requests
 * calls it (apps/http/error.filter.ts), because an unknown address has no controller.
 *
 * Source: choices C1, C3.
 */
@Catch()
@Injectable()
export class ConsoleErrorFilter implements ExceptionFilter {
  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ConsoleRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const page = this.pageOf(thrown, request);
    if (reply.raw.headersSent) {
      // Only a closed connection shows the browser that a document is incomplete.
      reply.raw.destroy();
    } else if (page === undefined || (page.status === 404 && !request.user)) {
      leadToSignIn(request, reply);
    } else {
      void reply.send(renderPage(page, request, reply, this.environment));
    }
  }

  /** @returns undefined when a session is needed */
  private pageOf(thrown: unknown, request: ConsoleRequest): Page | undefined {
    if (thrown instanceof SignInRequired) return undefined;
    if (thrown instanceof PageNotFound) return errorPage(404);
    if (thrown instanceof NotAllowed) return errorPage(403);
    // Its message is written for operators, and only they can change anything.
    if (thrown instanceof CommandError) return errorPage(400, thrown.message);
    const error = toAppError(thrown);
    logError(error, request);
    const { status } = ERRORS[error.code];
    // The text of any other 503 is for clients and says nothing to a user of the console.
    const detail = status === 503 && error.isExpected ? error.message : undefined;
    return { ...errorPage(status, detail), headers: error.headers };
  }
}

/** Without a session an unknown address is treated like any other. */
function leadToSignIn(request: ConsoleRequest, reply: FastifyReply): void {
  const wanted = wantedAfterSignIn(request);
  const address = withQuery(ADDRESSES.signIn, { next: wanted === ADDRESSES.overview ? undefined : wanted });
  // For a part of a page that updates itself, the whole page must go there.
  if (request.headers['hx-request'] === 'true') void reply.status(401).header('hx-redirect', address).send();
  else void reply.status(303).header('location', address).send();
}

/** The page to open after the sign-in. For a form that was sent too late, or the update of a part, this is the page that it is on. */
function wantedAfterSignIn({ method, url, headers }: ConsoleRequest): string | undefined {
  if ((method === 'GET' || method === 'HEAD') && headers['hx-request'] !== 'true') return wantedPage(url);
  return pageBefore(headers);
}
