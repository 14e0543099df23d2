import { createHmac } from 'node:crypto';
import { Tokens } from '@fastify/csrf';
import type { FastifyReply } from 'fastify';
import { cookieOf, setFormsSecret } from './cookies.js';
import type { ConsoleRequest } from './signed-in.js';

/** The field that carries the token of a form. */
export const FORM_TOKEN_FIELD = '_csrf';

const tokens = new Tokens({ secretLength: 32 });

/** What browsers report of a POST from a form of this service, and of a page that is loaded again. */
const OWN_SITES = new Set<unknown>([undefined, 'same-origin', 'none']);

/**
 * The token of the forms of a page: of the session, or of the browser where there is no session. Each page has another one,
 * so that nothing is learned from the size of a compressed page. Its secret is in a cookie that a request from another site never
 * has; a page to which a link of another site leads sets it again, and the forms of other pages stay good.
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
 * Whether a POST comes from a form of a page of the same session, or of the same browser where there is no session.
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
  return !request.signedIn || sent === ofSession(request) ? sent : undefined;
}

/** The secret of the forms of a session, which only who has its cookie can know. */
function ofSession(request: ConsoleRequest): string | undefined {
  const session = request.signedIn && cookieOf(request, 'session');
  return session && createHmac('sha256', session).update('data-import console forms').digest('base64url');
}
