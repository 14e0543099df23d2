import { applyDecorators, Controller, Get, Post, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '../../../infrastructure/validation/openapi.js';
import { Public } from '../../../infrastructure/routes/public.js';
import { For, SessionGuard, type Role } from '../signed-in/session.guard.js';
import { AnswerInterceptor } from './answer.interceptor.js';

/**
 * Marks a controller of the console. What a handler returns ({@link ConsoleAnswer}) becomes a page or a redirection, and
 * what it throws becomes an error page (layout/console-error.filter.ts). Its handlers are marked with {@link PageFor} and
 * {@link FormFor}; one with a decorator of Nest's own has no role, and nobody reaches it.
 *
 * @param path below `/console/`
 */
export function ConsoleController(path: string): ClassDecorator {
  return applyDecorators(
    Controller(`console/${path}`),
    ApiExcludeController(),
    UseGuards(SessionGuard),
    UseInterceptors(AnswerInterceptor),
  );
}

/** Marks the handler of a page or a file. It needs no token, and is therefore public. @param roles who may see it */
export function PageFor(roles: readonly Role[], path = ''): MethodDecorator {
  return applyDecorators(Get(path), For(roles), Public());
}

/** Marks the handler of a form. @param roles who may send it */
export function FormFor(roles: readonly Role[], path = ''): MethodDecorator {
  return applyDecorators(Post(path), For(roles), Public());
}
