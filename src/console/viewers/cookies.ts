import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Holds the signed secret of a session. */
const SESSION = 'data_import_session';
/** Holds the secret of the forms of a visitor without a session. */
const VISITOR = 'data_import_visitor';

/** What a request names as its session, as it was sent. */
export function sessionCookieOf(request: FastifyRequest): string | undefined {
  return request.cookies[nameOf(SESSION, request)];
}

export function setSessionCookie(reply: FastifyReply, value: string, expires: Date): void {
  void reply.setCookie(nameOf(SESSION, reply.request), value, { ...optionsFor(reply), expires });
}

export function clearSessionCookie(reply: FastifyReply): void {
  void reply.clearCookie(nameOf(SESSION, reply.request), optionsFor(reply));
}

export function visitorSecretOf(request: FastifyRequest): string | undefined {
  return request.cookies[nameOf(VISITOR, request)];
}

export function setVisitorSecret(reply: FastifyReply, secret: string): void {
  void reply.setCookie(nameOf(VISITOR, reply.request), secret, optionsFor(reply));
}

/**
 * Over TLS a name with a prefix by which the browser knows that no other host, and nobody without TLS, has set the cookie; no other
 * name is read then.
 */
function nameOf(cookie: string, request: FastifyRequest): string {
  return isOverTls(request) ? `__Host-${cookie}` : cookie;
}

/**
 * No script reads the cookie, no other site causes it to be sent, and after TLS it is not sent without (choice C1). The prefix of the
 * name needs the path `/`.
 */
function optionsFor({ request }: FastifyReply): CookieSerializeOptions {
  const secure = isOverTls(request);
  return { path: secure ? '/' : '/console', httpOnly: true, sameSite: 'strict', secure };
}

function isOverTls({ protocol }: FastifyRequest): boolean {
  return protocol === 'https';
}
