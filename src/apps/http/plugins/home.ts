import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasConsole } from '../../../infrastructure/config/has-console.js';
import type { Environment } from '../../../infrastructure/config/settings.js';

/** `text/html` as a browser names it, and not with the weight 0. */
const HTML = /(?:^|,)\s*text\/html\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))[^,]*)?(?:,|$)/i;

/** Where a browser is led from `/`: to the console, or to the documents where there is no console. Source: choice C15. */
export function homeOf(
  environment: Pick<Environment, 'CONSOLE' | 'DATABASE_URL' | 'DOCS'>,
): string | undefined {
  if (hasConsole(environment)) return '/console/';
  return environment.DOCS === 'on' ? '/docs/' : undefined;
}

/**
 * Lead a browser that asks for `/` to its home. For everything else this address is unknown.
 *
 * @returns whether it was led there
 */
export function leadHome(
  { method, raw, headers }: FastifyRequest,
  reply: FastifyReply,
  home: string,
): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead || raw.url?.split('?', 1)[0] !== '/') return false;
  void reply.header('vary', 'Accept');
  if (!HTML.test(headers.accept ?? '')) return false;
  void reply.status(303).header('location', home).send();
  return true;
}
