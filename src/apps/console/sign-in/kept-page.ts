import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { cookieOf } from '../signed-in/cookies.js';

const keptCookie = createParamDecorator((cookie: 'wanted' | 'begun', execution: ExecutionContext) =>
  cookieOf(execution.switchToHttp().getRequest<FastifyRequest>(), cookie),
);

/** Parameter decorator: the page that the browser kept when it was redirected to the sign-in (choice C1). */
export const KeptPage = (): ParameterDecorator => keptCookie('wanted');

/** Parameter decorator: the sign-in at the provider that the browser has begun, as sent (choice C1). */
export const KeptSignIn = (): ParameterDecorator => keptCookie('begun');
