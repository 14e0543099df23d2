import { applyDecorators, Controller, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '../../../infrastructure/validation/openapi.js';
import { Public } from '../../../infrastructure/routes/public.js';
import { AnswerInterceptor } from './answer.interceptor.js';
import { SessionGuard } from '../signed-in/session.guard.js';

/**
 * Marks a controller of the console. What a handler returns ({@link ConsoleAnswer}) becomes a page or a redirection, and
 * what it throws becomes an error page (layout/console-error.filter.ts). Without a session a request is redirected to the
 * sign-in page. It needs no token and is therefore public.
 *
 * @param path below `/console/`
 */
export function ConsoleController(path: string): ClassDecorator {
  return applyDecorators(
    Controller(`console/${path}`),
    makePublic,
    ApiExcludeController(),
    UseGuards(SessionGuard),
    UseInterceptors(AnswerInterceptor),
  );
}

/** Marks each handler, because Fastify's route options are read from the handler and not from the class. */
function makePublic(controller: object): void {
  const { prototype } = controller as { prototype: object };
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const handler = Object.getOwnPropertyDescriptor(prototype, name);
    if (name !== 'constructor' && handler) void Public()(prototype, name, handler);
  }
}
