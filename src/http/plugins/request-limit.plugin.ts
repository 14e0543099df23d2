import type { FastifyInstance } from 'fastify';
import type { AuthenticatedRequest } from '../../auth/caller.js';
import { organisationOf, type ConsoleRequest } from '../../console/viewers/viewer.js';
import type { RequestLimitService } from '../../auth/request-limit.service.js';

/** Counts every authenticated request and every page of an admin against the organisation's limit, before its body is read (choices A9, T10). */
export function requestLimitPlugin(instance: FastifyInstance, limit: RequestLimitService): void {
  instance.addHook('onRequest', async ({ caller, viewer }: AuthenticatedRequest & ConsoleRequest) => {
    const organisationId = caller?.organisationId ?? (viewer && organisationOf(viewer));
    if (organisationId !== undefined) await limit.admit(organisationId);
  });
}
