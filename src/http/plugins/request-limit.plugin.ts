import type { FastifyInstance } from 'fastify';
import type { AuthenticatedRequest } from '../../auth/caller.js';
import type { RequestLimitService } from '../../auth/request-limit.service.js';

/** Counts every authenticated request against the organisation's limit, before its body is read (choices A9, T10). */
export function requestLimitPlugin(instance: FastifyInstance, limit: RequestLimitService): void {
  instance.addHook('onRequest', async ({ caller }: AuthenticatedRequest) => {
    if (caller) await limit.admit(caller);
  });
}
