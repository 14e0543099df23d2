import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AddRouteConfig } from '../routes/route-config.js';
import type { Holding, Kind } from './budget.js';

/** Maximum memory of a page of the console; once it is rendered, its actual size counts. */
export const PAGE_BYTES = 524_288;

/** A request with its holding, which is absent if the sender is not known. */
export type HeldRequest = FastifyRequest & { holding?: Holding };

/** Options of a route whose requests have a kind of their own, or whose handler does not wait in the page queue. */
export interface HoldsConfig {
  readonly kind?: Kind;
  readonly hasOwnQueue?: boolean;
}

/** Sets the kind of a route's requests, which do not wait in the console's page queue. */
export function Holds(kind: Kind): MethodDecorator {
  const config: HoldsConfig = { kind, hasOwnQueue: true };
  return AddRouteConfig(config);
}

/** Marks a handler that waits for another queue or another service, and not in the page queue. */
export function HasOwnQueue(): MethodDecorator {
  const config: HoldsConfig = { hasOwnQueue: true };
  return AddRouteConfig(config);
}

/** Parameter decorator: the request's holding. */
export const CurrentHolding = createParamDecorator((_data: unknown, execution: ExecutionContext): Holding => {
  const { holding } = execution.switchToHttp().getRequest<HeldRequest>();
  if (!holding) throw new Error('A public handler has nothing in hand.');
  return holding;
});
