import type { FastifyInstance } from 'fastify';
import type { AuthService } from '../../auth/auth.service.js';
import type { AuthenticatedRequest } from '../../auth/caller.js';
import { IS_FOR_PLATFORM } from '../../common/for-platform.js';
import { IS_PUBLIC } from '../../common/public.js';
import { originOf } from '../../common/request-origin.js';

/**
 * Authenticates the caller. A Nest guard would be too late: guards run after the body has been read and parsed, and a
 * caller without a valid token must be refused before that (choice T10). The guard (auth/caller.guard.ts) refuses what is not
 * public and has no caller.
 *
 * A supplier's token opens no address of the platform, and the platform's token no other one (choice E5).
 */
export function authenticationPlugin(instance: FastifyInstance, auth: AuthService): void {
  instance.addHook('onRequest', async (request: AuthenticatedRequest) => {
    const config: object = request.routeOptions.config;
    if (IS_PUBLIC in config && config[IS_PUBLIC] === true) return;
    const credentials = [request.headers.authorization, originOf(request)] as const;
    if (IS_FOR_PLATFORM in config) request.platform = await auth.authenticatePlatform(...credentials);
    else request.caller = await auth.authenticate(...credentials);
  });
}
