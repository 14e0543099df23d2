import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasConsole } from '../../../infrastructure/config/has-console.js';
import type { Environment } from '../../../infrastructure/config/settings.js';

/** `text/html` in an Accept header, unless its weight is 0. */
const HTML = /(?:^|,)\s*text\/html\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))[^,]*)?(?:,|$)/i;

/** Where a browser is redirected from `/`: to the console, or to the docs where there is no console. Source: choice C15. */
export function homeOf(
  environment: Pick<Environment, 'CONSOLE' | 'DATABASE_URL' | 'DOCS'>,
): string | undefined {
  if (hasConsole(environment)) return '/console/';
  return environment.DOCS === 'on' ? '/docs/' : undefined;
}

/**
 * Redirect a browser that requests `/` to its home. For any other client this address is unknown.
 *
 * @returns whether it was redirected
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
