import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RequestOrigin } from '../infrastructure/log/request-origin.js';
import type { TokenClaims } from './token.service.js';
import type { GraphqlContext } from './graphql/graphql-context.js';

/**
 * The authenticated caller: the token is valid, and its API key has not been revoked. An import request is recorded with its
 * origin (choices T3, T17).
 */
export interface Caller extends RequestOrigin {
  readonly claims: TokenClaims;
  /** Length of the body, once it was read. */
  bodyBytes?: number;
  readonly organisationId: string;
  readonly organisationName: string;
  readonly apiKeyId: string;
  /** When the headers of the request were there, on the monotonic clock of the process. */
  readonly receivedAtMs: number;
}

/** The platform, authenticated: the token is valid, and its key has not been revoked (choice E5). */
export interface PlatformCaller extends RequestOrigin, Pick<Caller, 'receivedAtMs' | 'claims'> {
  readonly keyId: string;
  /** Name of the key. */
  readonly name: string;
  /** The only supplier that the key may read; null for every one. */
  readonly importSupplierId: number | null;
}

/** A request of a supplier has its caller, one of the platform has that. */
export type AuthenticatedRequest = FastifyRequest & { caller?: Caller; platform?: PlatformCaller };

/** Whose share of a process and whose limit a request counts for: the id of the organisation or of the platform key (choices A9, T18). */
export function requesterOf({ caller, platform }: AuthenticatedRequest): string | undefined {
  return caller?.organisationId ?? platform?.keyId;
}

/** Whether the handler is a GraphQL resolver. */
export function isGraphql(execution: ExecutionContext): boolean {
  return execution.getType<'graphql' | 'http'>() === 'graphql';
}

/** The third argument of a GraphQL resolver is its context. */
const CONTEXT_ARGUMENT = 2;

/** The HTTP request of a route handler or a GraphQL resolver. */
export function requestOf(execution: ExecutionContext): AuthenticatedRequest {
  return isGraphql(execution)
    ? execution.getArgByIndex<GraphqlContext>(CONTEXT_ARGUMENT).req
    : execution.switchToHttp().getRequest<AuthenticatedRequest>();
}

/** Parameter decorator: the authenticated caller. */
export const CurrentCaller = createParamDecorator((_data: unknown, execution: ExecutionContext): Caller => {
  const { caller } = requestOf(execution);
  if (!caller) throw new Error('A public handler has no caller.');
  return caller;
});

/** Parameter decorator: the authenticated platform, of a route that is marked `@ForPlatform()`. */
export const CurrentPlatform = createParamDecorator(
  (_data: unknown, execution: ExecutionContext): PlatformCaller => {
    const { platform } = requestOf(execution);
    if (!platform) throw new Error('Only a route for the platform has its caller.');
    return platform;
  },
);

/** Parameter decorator: the network address of the client, resolved with the setting TRUSTED_PROXIES. */
export const ClientAddress = createParamDecorator(
  (_data: unknown, execution: ExecutionContext): string => requestOf(execution).ip,
);
