import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RequestOrigin } from '../common/request-origin.js';

/** The platform, authenticated: the token is valid, and its key has not been revoked (choice E5). */
export interface PlatformCaller extends RequestOrigin {
  readonly keyId: string;
  /** Name of the key. */
  readonly name: string;
  /** The only supplier that the key may read; null for every one. */
  readonly importSupplierId: number | null;
  /** When the headers of the request were there, on the monotonic clock of the process. */
  readonly receivedAtMs: number;
}

/** Parameter decorator: the authenticated platform, of a route that is marked `@ForPlatform()`. */
export const CurrentPlatform = createParamDecorator(
  (_data: unknown, execution: ExecutionContext): PlatformCaller => {
    const { platform } = execution
      .switchToHttp()
      .getRequest<FastifyRequest & { platform?: PlatformCaller }>();
    if (!platform) throw new Error('Only a route for the platform has its caller.');
    return platform;
  },
);
