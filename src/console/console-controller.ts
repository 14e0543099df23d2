import { applyDecorators, Controller, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../common/public.js';
import { AnswerInterceptor } from './layout/answer.interceptor.js';
import { ConsoleErrorFilter } from './layout/console-error.filter.js';
import { SessionGuard } from './viewers/session.guard.js';

/**
 * Makes a controller of the console: what a handler returns ({@link ConsoleAnswer}) becomes a page or a redirection, what it throws
 * a page of an error, and without a session nothing is answered but the way to sign in. It takes no token, hence public.
 *
 * @param path below `/console/`
 */
export function ConsoleController(path: string): ClassDecorator {
  return applyDecorators(
    Controller(`console/${path}`),
    Public(),
    ApiExcludeController(),
    UseGuards(SessionGuard),
    UseInterceptors(AnswerInterceptor),
    UseFilters(ConsoleErrorFilter),
  );
}
