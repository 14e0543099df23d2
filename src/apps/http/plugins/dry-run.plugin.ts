import type { FastifyInstance } from 'fastify';
import { toBoolean } from '../../../infrastructure/validation/query.js';
import { addRouteHook, isImport } from './route-hooks.js';

/** Marks every answer to a dry run, including a 401 or the answer to an unreadable body (choice R1). */
export function dryRunPlugin(instance: FastifyInstance): void {
  addRouteHook(instance, 'onRequest', isImport, (request, reply, done) => {
    const { dry_run } = request.query as { dry_run?: unknown };
    if (dry_run !== undefined && toBoolean(dry_run) === true) reply.header('x-dry-run', 'true');
    done();
  });
}
