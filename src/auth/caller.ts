import { createParamDecorator, SetMetadata, applyDecorators, type ExecutionContext } from '@nestjs/common';
import { GqlExecutionContext, type GqlContextType } from '@nestjs/graphql';
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

/** What every GraphQL resolver is handed. */
export interface GraphqlContext {
  readonly req: AuthenticatedRequest;
}

/** Whether a route's handler or a GraphQL field's resolver is about to run. */
export function isGraphql(execution: ExecutionContext): boolean {
  return execution.getType<GqlContextType>() === 'graphql';
}

/** The HTTP request that a handler or resolver works for. */
export function requestOf(execution: ExecutionContext): AuthenticatedRequest {
  return isGraphql(execution)
    ? GqlExecutionContext.create(execution).getContext<GraphqlContext>().req
    : execution.switchToHttp().getRequest<AuthenticatedRequest>();
}

/** Hands a controller or resolver the caller that the guard has let in. */
export const CurrentCaller = createParamDecorator((_data: unknown, execution: ExecutionContext): Caller => {
  const { caller } = requestOf(execution);
  if (!caller) throw new Error('What needs a caller was reached without one.');
  return caller;
});

/** Hands a resolver the network address that the request came from (setting TRUSTED_PROXIES). */
export const ClientAddress = createParamDecorator(
  (_data: unknown, execution: ExecutionContext): string => requestOf(execution).ip,
);

export const IS_PUBLIC = 'isPublic';

/** Opens a route or a GraphQL operation to callers without a token; every other one is closed. */
export function Public(): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(IS_PUBLIC, true), RouteConfig({ [IS_PUBLIC]: true }));
}
