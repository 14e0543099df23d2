import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { concatMap, defer, lastValueFrom, type Observable } from 'rxjs';
import { PageQueue } from '../../../infrastructure/limits/fair-queue.js';
import { PAGE_BYTES, type HeldRequest, type HoldsConfig } from '../../../infrastructure/limits/holds.js';
import { RuntimeLimitsProvider } from '../../../infrastructure/validation/rules/runtime-limits.js';
import { csvAnswer } from '../common/csv-answer.js';
import { ENVIRONMENT, type Environment } from '../../../infrastructure/config/settings.js';
import type { ConsoleAnswer, Redirection } from './page.js';
import { clearSessionCookie, forget, keepBegun, setSessionCookie } from '../signed-in/cookies.js';
import { SessionCookies } from '../signed-in/session-cookies.js';
import type { NewSession } from '../signed-in/sessions.types.js';
import { queueHolderOf, type ConsoleRequest } from '../signed-in/signed-in-user.js';
import { renderPage } from './render-page.js';

/** Sends what a handler of the console returns. Anything but a page, a redirection or a CSV file is passed on, for example a stream. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor<ConsoleAnswer> {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly cookies: SessionCookies,
    private readonly queue: PageQueue,
    private readonly limits: RuntimeLimitsProvider,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler<ConsoleAnswer>): Observable<unknown> {
    const http = execution.switchToHttp();
    const request = http.getRequest<ConsoleRequest & HeldRequest>();
    const reply = http.getResponse<FastifyReply>();
    return this.inFairQueue(request, next).pipe(
      concatMap(async (answer) => {
        if ('location' in answer) return this.redirect(answer, reply);
        if ('records' in answer) return csvAnswer(reply, answer);
        if (!('body' in answer)) return answer;
        if (answer.session) {
          this.changeSession(answer.session, reply);
          // The page is rendered as for a visitor: the old session has ended, and the browser does not send the new one yet.
          request.user = undefined;
        }
        const catalogues = request.user && (await this.limits.catalogues());
        const html = Buffer.from(renderPage(answer, request, reply, this.environment, catalogues));
        request.holding?.resize(html.length - PAGE_BYTES);
        return new Response(html, { status: reply.statusCode });
      }),
    );
  }

  /** A handler waits for the signed-in user's turn in the fair queue, unless its route has a turn of its own. */
  private inFairQueue(request: ConsoleRequest, next: CallHandler<ConsoleAnswer>): Observable<ConsoleAnswer> {
    const { user, routeOptions } = request;
    const { hasOwnQueue = false } = routeOptions.config as HoldsConfig;
    if (!user || hasOwnQueue) return next.handle();
    return defer(() => this.queue.run(queueHolderOf(user), () => lastValueFrom(next.handle())));
  }

  /** A Response, because Nest would set the status of any other answer by the method of its handler. */
  private redirect({ location, session, begun }: Redirection, reply: FastifyReply): Response {
    if (session) this.changeSession(session, reply);
    if (begun !== undefined) keepBegun(reply, begun);
    return new Response(null, { status: 303, headers: { location } });
  }

  private changeSession(session: NewSession | 'ended', reply: FastifyReply): void {
    if (session === 'ended') {
      clearSessionCookie(reply);
      return;
    }
    setSessionCookie(reply, this.cookies.signed(session.secret), session.expiresAt);
    forget(reply, 'wanted');
    forget(reply, 'begun');
  }
}
