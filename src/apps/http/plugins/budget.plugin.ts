import type { FastifyInstance, FastifyReply, RouteOptions } from 'fastify';
import { requesterOf, type AuthenticatedRequest } from '../../../auth/caller.js';
import type { Budget, Holding, Kind } from '../../../infrastructure/limits/budget.js';
import { PAGE_BYTES, type HeldRequest, type HoldsConfig } from '../../../infrastructure/limits/holds.js';
import { atEnd } from '../../../infrastructure/routes/stream-response.js';
import type { Environment } from '../../../infrastructure/config/settings.js';
import { holderOf, type ConsoleRequest } from '../../console/signed-in/signed-in-user.js';
import type { ImportRouteConfig } from '../../../ingest/import-route.js';
import { FORM_BYTES_MAX } from './form-body.js';
import { addRouteHook, isPage, isPublic } from './route-hooks.js';

type Request = AuthenticatedRequest & ConsoleRequest & HeldRequest;

/**
 * Counts each request of a known caller. A request whose holder already has too much in hand is rejected before its body is read.
 *
 * A request is counted until its answer ends. When its client leaves earlier, the service finishes the work that a handler has begun,
 * and the request is counted until then: a client that leaves and returns gains nothing.
 *
 * Source: choice T18.
 *
 * @returns the unfinished answers of known callers
 */
export function budgetPlugin(
  instance: FastifyInstance,
  budget: Budget,
  { BODY_LIMIT_BYTES }: Pick<Environment, 'BODY_LIMIT_BYTES'>,
): ReadonlySet<FastifyReply> {
  const open = new Set<FastifyReply>();
  const hasHolder = (route: RouteOptions): boolean => isPage(route) || !isPublic(route);
  addRouteHook(instance, 'onRequest', hasHolder, function count(request: Request, reply, done) {
    const { user } = request;
    const holder = requesterOf(request) ?? (user && holderOf(user));
    if (holder === undefined) {
      done();
      return;
    }
    const bytes = user
      ? PAGE_BYTES + bodyBytes(request, FORM_BYTES_MAX)
      : bodyBytes(request, BODY_LIMIT_BYTES);
    let holding: Holding;
    try {
      holding = budget.admit(holder, kindsOf(request), bytes);
    } catch (error) {
      done(error as Error);
      return;
    }
    request.holding = holding;
    open.add(reply);
    atEnd(reply, () => {
      open.delete(reply);
      holding.release();
    });
    done();
  });
  instance.addHook('onRoute', (route) => {
    route.handler = usingHolding(route.handler);
  });
  return open;
}

const IMPORT: readonly Kind[] = ['imports'];
const REQUEST: readonly Kind[] = ['requests'];

function kindsOf({ routeOptions }: Request): readonly Kind[] {
  const { importKind, kind } = routeOptions.config as ImportRouteConfig & HoldsConfig;
  if (importKind !== undefined) return IMPORT;
  return kind === undefined ? REQUEST : [...REQUEST, kind];
}

/** The stated length of the body. A body without a stated length counts as the largest allowed. */
function bodyBytes({ headers }: Request, max: number): number {
  const length = headers['content-length'];
  if (length !== undefined) return Math.min(Number(length), max);
  return headers['transfer-encoding'] === undefined ? 0 : max;
}

/** Count a handler's work even when nobody waits for the answer any more. */
function usingHolding(handler: RouteOptions['handler']): RouteOptions['handler'] {
  return function (request, reply) {
    const { holding } = request as HeldRequest;
    const result: unknown = handler.call(this, request, reply);
    if (holding && result instanceof Promise) {
      holding.use();
      const release = (): void => {
        holding.release();
      };
      result.then(release, release);
    }
    return result;
  };
}
