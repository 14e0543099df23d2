import type { FastifyInstance } from 'fastify';
import findMyWay, { type HTTPMethod, type Instance } from 'find-my-way';

/** Longest path segment: 128 code points, each up to four bytes of UTF-8, each byte percent-encoded. */
export const PARAMETER_LENGTH_MAX = 128 * 4 * 3;

/**
 * Records the methods of every address, so that an unknown method can be distinguished from an unknown address. Fastify's
 * own router answers 404 for both.
 *
 * Source: choices T4 (`method_not_allowed` with `Allow`), T16.
 */
export class RouteTable {
  private readonly router: Instance<never>;
  private readonly methods = new Set<HTTPMethod>();

  /** @param instance its routes are recorded from now on */
  constructor(
    instance: FastifyInstance,
    routerOptions: { ignoreTrailingSlash: boolean; maxParamLength: number },
  ) {
    this.router = findMyWay(routerOptions);
    instance.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat() as HTTPMethod[]) {
        this.methods.add(one);
        // With ignoreTrailingSlash both spellings are one route, but Fastify registers some routes under both.
        if (!this.router.hasRoute(one, url)) this.router.on(one, url, () => undefined);
      }
    });
  }

  /** @returns the methods of an address, including `OPTIONS`; empty for an unknown address */
  allowedMethods(url: string): string[] {
    const path = url.split('?', 1)[0] ?? '';
    const allowed = [...this.methods].filter((method) => {
      const route = this.router.find(method, path);
      return route !== null && !hasEmptySegment(route.params);
    });
    return allowed.length === 0 ? [] : [...new Set([...allowed, 'OPTIONS'])].sort();
  }
}

/** Whether a route parameter is empty. The router accepts that, but no such address exists. */
export function hasEmptySegment(params: Readonly<Record<string, string | undefined>>): boolean {
  return Object.values(params).includes('');
}
