import { createHmac } from 'node:crypto';
import { Tokens } from '@fastify/csrf';
import type { FastifyReply } from 'fastify';
import { cookieOf, setFormsSecret } from './cookies.js';
import type { ConsoleRequest } from './signed-in-user.js';

/** The field that carries the token of a form. */
export const FORM_TOKEN_FIELD = '_csrf';

const tokens = new Tokens({ secretLength: 32 });

/** Values that browsers send for a POST from a form of this service, and for a page that is reloaded. */
const OWN_SITES = new Set<unknown>([undefined, 'same-origin', 'none']);

/**
 * The token of the forms of a page. It belongs to the session, or to the browser when there is no session. Each page has a
 * different token, so that the size of a compressed page reveals nothing. Its secret is in a cookie that requests from
 * other sites never have. A page that is opened by a link on another site sets the cookie again, and forms on other pages
 * remain valid.
 *
 * Source: choice C3.
 */
export function formTokenOf(request: ConsoleRequest, reply: FastifyReply): string {
  const known = secretOf(request);
  if (known !== undefined) return tokens.create(known);
  const secret = ofSession(request) ?? tokens.secretSync();
  setFormsSecret(reply, secret);
  return tokens.create(secret);
}

/**
 * Whether a POST comes from a form on a page of the same session, or of the same browser when there is no session.
 *
 * Source: choice C3.
 */
export function hasFormToken(request: ConsoleRequest): boolean {
  const { [FORM_TOKEN_FIELD]: token = '' } = (request.body ?? {}) as Record<string, string | undefined>;
  const secret = secretOf(request);
  const isOwnSite = OWN_SITES.has(request.headers['sec-fetch-site']);
  return isOwnSite && secret !== undefined && tokens.verify(secret, token);
}

function secretOf(request: ConsoleRequest): string | undefined {
  const sent = cookieOf(request, 'forms');
  if (sent === undefined || sent === '') return undefined;
  return !request.user || sent === ofSession(request) ? sent : undefined;
}

/** The secret of the forms of a session. Only the holder of the session's cookie can know it. */
function ofSession(request: ConsoleRequest): string | undefined {
  const session = request.user && cookieOf(request, 'session');
  return session && createHmac('sha256', session).update('data-import console forms').digest('base64url');
}
