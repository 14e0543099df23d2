import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { NewSession } from './sessions.types.js';

/** Holds the secret of a session. */
const SESSION = 'data_import_session';
/** Holds the secret of the forms of a visitor without a session. */
const VISITOR = 'data_import_visitor';

/** The secret of the session that a request names. */
export function sessionSecretOf({ cookies }: FastifyRequest): string | undefined {
  return cookies[SESSION];
}

export function visitorSecretOf({ cookies }: FastifyRequest): string | undefined {
  return cookies[VISITOR];
}

export function setVisitorSecret(reply: FastifyReply, secret: string): void {
  void reply.setCookie(VISITOR, secret, optionsFor(reply));
}

/** Give the browser the secret of its session, for as long as that lasts. */
export function setSession(reply: FastifyReply, { secret, expiresAt }: NewSession): void {
  void reply.setCookie(SESSION, secret, { ...optionsFor(reply), expires: expiresAt });
}

export function clearSession(reply: FastifyReply): void {
  void reply.clearCookie(SESSION, optionsFor(reply));
}

/** No script reads the cookie, no other site causes it to be sent, and after TLS it is not sent without (choice C1). */
function optionsFor({ request }: FastifyReply): CookieSerializeOptions {
  return { path: '/console', httpOnly: true, sameSite: 'strict', secure: request.protocol === 'https' };
}
