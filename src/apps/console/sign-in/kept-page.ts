import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { cookieOf } from '../signed-in/cookies.js';

/** Parameter decorator: the page that was wanted when the browser was led to the sign-in, as it was kept (choice C1). */
export const KeptPage = createParamDecorator((_data: unknown, execution: ExecutionContext) =>
  cookieOf(execution.switchToHttp().getRequest<FastifyRequest>(), 'wanted'),
);
