import { applyDecorators, Controller, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '../../../infrastructure/validation/openapi.js';
import { Public } from '../../../infrastructure/routes/public.js';
import { AnswerInterceptor } from './answer.interceptor.js';
import { SessionGuard } from '../signed-in/session.guard.js';

/**
 * Makes a controller of the console: what a handler returns ({@link ConsoleAnswer}) becomes a page or a redirection, what it throws
 * a page of an error (layout/console-error.filter.ts), and without a session nothing is answered but the way to sign in. It takes no
 * token, hence public.
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

/** Each handler by itself: what Fastify is told of a route is read from its handler, not from the class. */
function makePublic(controller: object): void {
  const { prototype } = controller as { prototype: object };
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const handler = Object.getOwnPropertyDescriptor(prototype, name);
    if (name !== 'constructor' && handler) void Public()(prototype, name, handler);
  }
}
