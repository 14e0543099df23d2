import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AddRouteConfig } from '../routes/route-config.js';
import type { Holding, Kind } from './budget.js';

/** What a page of the console has in memory at most; once it is made, its bytes count. */
export const PAGE_BYTES = 524_288;

/** A request with what it has in hand, unless nobody is known to have sent it. */
export type HeldRequest = FastifyRequest & { holding?: Holding };

/** The options of a route whose requests are of a kind of their own, or whose handler does not wait for the turn of a page. */
export interface HoldsConfig {
  readonly kind?: Kind;
  readonly hasOwnTurn?: boolean;
}

/** Names the kind of a route's requests, which do not wait for the turn of a page of the console. */
export function Holds(kind: Kind): MethodDecorator {
  const config: HoldsConfig = { kind, hasOwnTurn: true };
  return AddRouteConfig(config);
}

/** The handler waits for another turn than that of a page. */
export function HasOwnTurn(): MethodDecorator {
  const config: HoldsConfig = { hasOwnTurn: true };
  return AddRouteConfig(config);
}

/** Parameter decorator: what the request has in hand. */
export const CurrentHolding = createParamDecorator((_data: unknown, execution: ExecutionContext): Holding => {
  const { holding } = execution.switchToHttp().getRequest<HeldRequest>();
  if (!holding) throw new Error('A public handler has nothing in hand.');
  return holding;
});
