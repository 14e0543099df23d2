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
import type { ConsoleAnswer } from '../page.js';
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
        if ('location' in answer) {
          void reply.status(303).header('location', answer.location);
          return '';
        }
        if (!('body' in answer)) return answer;
        return renderPage(answer, request, reply, this.environment);
      }),
    );
  }
}
