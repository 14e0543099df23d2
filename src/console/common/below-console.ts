import type { FastifyRequest } from 'fastify';

const CONSOLE = /^\/console(?:[/?]|$)/;
const ASSETS = '/console/assets/';

/** Whether a request is for a page below `/console/`, also for one that does not exist. */
export function isForPage({ routeOptions, url }: Pick<FastifyRequest, 'routeOptions' | 'url'>): boolean {
  const address = routeOptions.url ?? url;
  return CONSOLE.test(address) && !address.startsWith(ASSETS);
}
