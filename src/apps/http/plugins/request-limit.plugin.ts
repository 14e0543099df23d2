import type { FastifyInstance } from 'fastify';
import { requesterOf, type AuthenticatedRequest } from '../../../auth/caller.js';
import { organisationOf, type ConsoleRequest } from '../../console/signed-in/signed-in-user.js';
import type { RequestLimitService } from '../../../auth/request-limit.service.js';
import { addRouteHook, isPage, isPublic } from './route-hooks.js';

/**
 * Counts every authenticated request and every page of an admin against the limit of the organisation or platform key, before its body
 * is read (choices A9, T10).
 */
export function requestLimitPlugin(instance: FastifyInstance, limit: RequestLimitService): void {
  addRouteHook(
    instance,
    'onRequest',
    (route) => isPage(route) || !isPublic(route),
    async (request: AuthenticatedRequest & ConsoleRequest) => {
      const requester = requesterOf(request) ?? (request.user && organisationOf(request.user));
      if (requester !== undefined) await limit.admit(requester);
    },
  );
}
