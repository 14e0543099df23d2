import type { FastifyRequest } from 'fastify';
import type { AppError } from '../errors/errors.js';
import { originMembers, originOf } from './request-origin.js';

/** Log the cause of an error that is the service's fault and not the client's. */
export function logError(error: AppError, request: FastifyRequest): void {
  if (error.isExpected || isClientGone(request)) return;
  request.log.error({ ...originMembers(originOf(request)), err: error.cause ?? error }, error.code);
}

/** A client that disconnects while sending makes the request fail, but the service has not failed. */
function isClientGone({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}
