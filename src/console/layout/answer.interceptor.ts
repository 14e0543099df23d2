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
import { clearSession, setSession } from '../viewers/cookies.js';
import type { ConsoleRequest } from '../viewers/viewer.js';
import { renderPage } from './render-page.js';

/** Sends what a handler of the console returns. What is neither a page nor a redirection is passed on, such as a stream. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor<ConsoleAnswer> {
  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {}

  intercept(execution: ExecutionContext, next: CallHandler<ConsoleAnswer>): Observable<unknown> {
    const http = execution.switchToHttp();
    const request = http.getRequest<ConsoleRequest>();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(
      map((answer) => {
        if ('location' in answer) return redirect(answer, reply);
        if (!('body' in answer)) return answer;
        const html = renderPage(answer, request, reply, this.environment);
        return new Response(Buffer.from(html), { status: reply.statusCode });
      }),
    );
  }
}

/** A Response, because Nest sets the status of any other answer by the method of its handler. */
function redirect({ location, session }: Redirection, reply: FastifyReply): Response {
  if (session === 'ended') clearSession(reply);
  else if (session) setSession(reply, session);
  return new Response(null, { status: 303, headers: { location } });
}
