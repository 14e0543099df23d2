import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { ENVIRONMENT } from '../../config/config.module.js';
import type { Environment } from '../../config/settings.js';
import type { ConsoleAnswer, Redirection } from './page.js';
import { SessionCookies } from '../viewers/session-cookies.js';
import type { ConsoleRequest } from '../viewers/viewer.js';
import { renderPage } from './render-page.js';

/** Sends what a handler of the console returns. What is neither a page nor a redirection is passed on, such as a stream. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor<ConsoleAnswer> {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly cookies: SessionCookies,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler<ConsoleAnswer>): Observable<unknown> {
    const http = execution.switchToHttp();
    const request = http.getRequest<ConsoleRequest>();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(
      map((answer) => {
        if ('location' in answer) return this.redirect(answer, reply);
        if (!('body' in answer)) return answer;
        const html = renderPage(answer, request, reply, this.environment);
        return new Response(Buffer.from(html), { status: reply.statusCode });
      }),
    );
  }

  /** A Response, because Nest sets the status of any other answer by the method of its handler. */
  private redirect({ location, session }: Redirection, reply: FastifyReply): Response {
    if (session === 'ended') this.cookies.clear(reply);
    else if (session) this.cookies.set(reply, session);
    return new Response(null, { status: 303, headers: { location } });
  }
}
