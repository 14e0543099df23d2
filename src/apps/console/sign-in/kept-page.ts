import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { cookieOf } from '../signed-in/cookies.js';

/** Parameter decorator: the page that the browser kept when it was redirected to the sign-in (choice C1). */
export const KeptPage = createParamDecorator((_data: unknown, execution: ExecutionContext) =>
  cookieOf(execution.switchToHttp().getRequest<FastifyRequest>(), 'wanted'),
);
