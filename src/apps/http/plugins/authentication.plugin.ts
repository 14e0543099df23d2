import type { FastifyInstance } from 'fastify';
import type { AuthService } from '../../../auth/auth.service.js';
import type { AuthenticatedRequest } from '../../../auth/caller.js';
import { IS_FOR_PLATFORM } from '../../../infrastructure/routes/for-platform.js';
import { originOf } from '../../../infrastructure/log/request-origin.js';
import { addRouteHook, isPublic } from './route-hooks.js';

/**
 * Authenticates the caller of every route that is not public. A Nest guard would be too late: guards run after the body has been read
 * and parsed, and a caller without a valid token must be rejected before that (choice T10). The guard (auth/caller.guard.ts) rejects
 * requests to non-public routes that have no caller.
 *
 * A supplier's token is rejected at the platform's addresses. The platform's token is accepted only there (choice E5).
 */
export function authenticationPlugin(instance: FastifyInstance, auth: AuthService): void {
  addRouteHook(
    instance,
    'onRequest',
    (route) => !isPublic(route),
    async (request: AuthenticatedRequest) => {
      const { authorization } = request.headers;
      if (IS_FOR_PLATFORM in request.routeOptions.config)
        request.platform = await auth.authenticatePlatform(authorization, originOf(request));
      else request.caller = await auth.authenticate(authorization, originOf(request));
    },
  );
}
