import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RequestOrigin } from '../infrastructure/log/request-origin.js';
import type { TokenClaims } from './token.service.js';
import type { GraphqlContext } from './graphql/graphql-context.js';

/**
 * An authenticated caller: its token is valid, and its API key is not revoked. An import request is recorded with the caller's
 * origin (choices T3, T17).
 */
export interface Caller extends RequestOrigin {
  readonly claims: TokenClaims;
  /** Length of the body in bytes, once it has been read. */
  bodyBytes?: number;
  readonly organisationId: string;
  readonly organisationName: string;
  readonly apiKeyId: string;
  /** When the request's headers arrived, on the process's monotonic clock. */
  readonly receivedAtMs: number;
}

/** The authenticated platform: its token is valid, and its key is not revoked (choice E5). */
export interface PlatformCaller extends RequestOrigin, Pick<Caller, 'receivedAtMs' | 'claims'> {
  readonly keyId: string;
  /** Name of the key. */
  readonly name: string;
  /** The only supplier that the key may read; null for all suppliers. */
  readonly importSupplierId: number | null;
}

/** A request with its caller: `caller` for an organisation, `platform` for the platform. */
export type AuthenticatedRequest = FastifyRequest & { caller?: Caller; platform?: PlatformCaller };

/** The id of the organisation or platform key whose rate limit and share of the process a request counts towards (choices A9, T18). */
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
