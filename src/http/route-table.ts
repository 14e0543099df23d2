import type { FastifyInstance } from 'fastify';
import findMyWay, { type HTTPMethod, type Instance } from 'find-my-way';

/** Longest path segment: 128 code points, each up to four bytes of UTF-8, each byte percent-encoded. */
export const PARAMETER_LENGTH_MAX = 128 * 4 * 3;

/**
 * Remembers which methods each address answers, so that a wrong method is told from a wrong address.
 *
 * Source: contract T4 (`method_not_allowed` with `Allow`), T16.
 */
export class RouteTable {
  private readonly router: Instance<never>;
  private readonly methods = new Set<HTTPMethod>();

  constructor(routerOptions: { ignoreTrailingSlash: boolean; maxParamLength: number }) {
    this.router = findMyWay(routerOptions);
  }

  /** Watch every route that is registered on the instance from now on. */
  watch(instance: FastifyInstance): void {
    instance.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat() as HTTPMethod[]) {
        this.methods.add(one);
        // With ignoreTrailingSlash both spellings are one route, and the framework registers some routes twice.
        if (!this.router.hasRoute(one, url)) this.router.on(one, url, () => undefined);
      }
    });
  }

  /** @returns the methods that an address answers, `OPTIONS` with them; none for an unknown address */
  allowedMethods(url: string): string[] {
    const path = url.split('?', 1)[0] ?? '';
    const allowed = [...this.methods].filter((method) => {
      const route = this.router.find(method, path);
      return route !== null && !hasEmptySegment(route.params);
    });
    return allowed.length === 0 ? [] : [...new Set([...allowed, 'OPTIONS'])].sort();
  }
}

/** Whether a segment of an address is empty that a route has a name for; the router takes it for a value like any other. */
export function hasEmptySegment(params: Readonly<Record<string, string | undefined>>): boolean {
  return Object.values(params).includes('');
}
