import type { FastifyInstance, onRequestHookHandler, preParsingHookHandler, RouteOptions } from 'fastify';
import { IS_PUBLIC } from '../../../infrastructure/routes/public.js';
import { isPageAddress } from '../../console/common/below-console.js';
import type { ImportRouteConfig } from '../../../ingest/import-route.js';

/** A hook that calls `done`, or returns a promise. */
type Hook<Handler extends (...args: never) => unknown> = (
  this: FastifyInstance,
  ...args: Parameters<Handler>
) => unknown;

interface RouteHooks {
  onRequest: Hook<onRequestHookHandler>;
  preParsing: Hook<preParsingHookHandler>;
}

/**
 * Add a hook to the matching routes only, after the hooks added before, so that no other request runs it. Route hooks run after the
 * hooks of the whole instance. Routes that are already registered do not get it.
 */
export function addRouteHook<Name extends keyof RouteHooks>(
  instance: FastifyInstance,
  name: Name,
  isFor: (route: RouteOptions) => boolean,
  hook: RouteHooks[Name],
): void {
  instance.addHook('onRoute', (route) => {
    if (isFor(route)) Object.assign(route, { [name]: [...[route[name] ?? []].flat(), hook] });
  });
}

/** Whether the route needs no authentication. */
export function isPublic({ config = {} }: RouteOptions): boolean {
  return IS_PUBLIC in config && config[IS_PUBLIC] === true;
}

export function isImport({ config }: RouteOptions): boolean {
  const { importKind }: ImportRouteConfig = config ?? {};
  return importKind !== undefined;
}

/** Whether the route answers with a page of the console. */
export function isPage({ url }: RouteOptions): boolean {
  return isPageAddress(url);
}
