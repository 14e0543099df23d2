import type { FastifyInstance } from 'fastify';
import type { RefusalsService } from '../../../capabilities/request-log/refusals/refusals.service.js';
import type { HeardErrors } from './route-errors.js';
import { isImport } from './route-hooks.js';

/** Records the errors of import requests. */
export function refusalsPlugin(instance: FastifyInstance, refusals: RefusalsService): void {
  const config: HeardErrors = {
    hearError: (error, request) => {
      refusals.record(error, request);
    },
  };
  instance.addHook('onRoute', (route) => {
    if (isImport(route)) route.config = { ...route.config, ...config };
  });
}
