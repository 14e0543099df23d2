import { createParamDecorator, SetMetadata, applyDecorators, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

/** Who is calling, as their token says and the database confirms. */
export interface Caller {
  readonly organisationId: string;
  readonly organisationName: string;
  readonly apiKeyId: string;
  /** The request's id, for the record of what was loaded (contract T3). */
  readonly requestId: string;
}

export type AuthenticatedRequest = FastifyRequest & { caller?: Caller };

/** Hands a controller the caller that the guard has let in. */
export const CurrentCaller = createParamDecorator((_data: unknown, execution: ExecutionContext): Caller => {
  const { caller } = execution.switchToHttp().getRequest<AuthenticatedRequest>();
  if (!caller) throw new Error('A route that needs a caller was reached without one.');
  return caller;
});

export const IS_PUBLIC = 'isPublic';

/** Opens a route to callers without a token; every other route is closed. */
export function Public(): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(IS_PUBLIC, true), RouteConfig({ [IS_PUBLIC]: true }));
}
