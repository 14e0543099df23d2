import type { FastifyInstance } from 'fastify';
import type { AuthService } from '../../auth/auth.service.js';
import type { AuthenticatedRequest } from '../../auth/caller.js';
import { IS_PUBLIC } from '../../common/public.js';
import { originOf } from '../../common/request-origin.js';

/**
 * Authenticates the caller. A Nest guard would be too late: guards run after the body has been read and parsed, and a
 * caller without a valid token must be refused before that (choice T10). The guard (auth/caller.guard.ts) refuses what is not
 * public and has no caller.
 */
export function authenticationPlugin(instance: FastifyInstance, auth: AuthService): void {
  instance.addHook('onRequest', async (request: AuthenticatedRequest) => {
    const config: object = request.routeOptions.config;
    if (IS_PUBLIC in config && config[IS_PUBLIC] === true) return;
    request.caller = await auth.authenticate(request.headers.authorization, originOf(request));
  });
}
