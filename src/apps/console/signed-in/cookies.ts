import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The names of the cookies. */
const NAMES = {
  /** Holds the signed secret of a session. */
  session: 'data_import_session',
  /** Holds the secret of the forms of a session, or of a browser without one. */
  forms: 'data_import_forms',
  /** Holds the sign-in that a person has begun at the provider. */
  begun: 'data_import_sign_in',
  /** Holds the page to open after the sign-in. */
  wanted: 'data_import_wanted',
} as const;
type CookieName = keyof typeof NAMES;

/** How long a person has to sign in at the provider. */
export const BEGUN_SECONDS = 600;
/** How long the wanted page is kept: an operator has to get a link first. */
const WANTED_SECONDS = 3_600;
/** Browsers reject cookies of more than 4,096 bytes. */
const WANTED_LENGTH_MAX = 2_000;

/** The value of a cookie as sent; it may be anything. */
export function cookieOf(request: FastifyRequest, cookie: CookieName): string | undefined {
  return request.cookies[nameOf(cookie, request)];
}

/** Give the browser its session, for as long as the session lasts. @param value signed (signed-in/session-cookies.ts) */
export function setSessionCookie(reply: FastifyReply, value: string, expires: Date): void {
  void reply.setCookie(nameOf('session', reply.request), value, {
    ...optionsFor(reply),
    // A link in a mail or a ticket opens its page. Changes also need the cookie of the forms.
    sameSite: 'lax',
    expires,
  });
}

export function clearSessionCookie(reply: FastifyReply): void {
  for (const cookie of ['session', 'forms'] as const)
    void reply.clearCookie(nameOf(cookie, reply.request), optionsFor(reply));
}

export function setFormsSecret(reply: FastifyReply, secret: string): void {
  setForReply(reply, 'forms', secret);
}

/** Keep a sign-in that a person has begun. The provider leads back to this service, which only a lax cookie survives. */
export function keepBegun(reply: FastifyReply, value: string): void {
  setForReply(reply, 'begun', value, { sameSite: 'lax', maxAge: BEGUN_SECONDS });
}

export function keepPage(reply: FastifyReply, address: string): void {
  if (address.length <= WANTED_LENGTH_MAX) setForReply(reply, 'wanted', address, { maxAge: WANTED_SECONDS });
}

/** Delete a cookie that is of no use any more. */
export function forget(reply: FastifyReply, cookie: 'wanted' | 'begun'): void {
  if (cookieOf(reply.request, cookie) !== undefined)
    void reply.clearCookie(nameOf(cookie, reply.request), optionsFor(reply));
}

/** Also sets the cookie in the request, so that a page rendered afterwards reads the new value. */
function setForReply(
  reply: FastifyReply,
  cookie: CookieName,
  value: string,
  options: CookieSerializeOptions = {},
): void {
  const name = nameOf(cookie, reply.request);
  reply.request.cookies[name] = value;
  void reply.setCookie(name, value, { ...optionsFor(reply), ...options });
}

/**
 * Over TLS the name has a prefix that assures the browser that no other host, and nobody without TLS, has set the cookie.
 * No other name is then read.
 */
function nameOf(cookie: CookieName, request: FastifyRequest): string {
  return `${isOverTls(request) ? '__Host-' : ''}${NAMES[cookie]}`;
}

/**
 * Scripts cannot read the cookie. Requests from other sites do not send it, except for the session's, which a link sends. A
 * cookie set over TLS is never sent without TLS (choice C1). The prefix of the name requires the path `/`.
 */
function optionsFor({ request }: FastifyReply): CookieSerializeOptions {
  const secure = isOverTls(request);
  return { path: secure ? '/' : '/console', httpOnly: true, sameSite: 'strict', secure };
}

function isOverTls({ protocol }: FastifyRequest): boolean {
  return protocol === 'https';
}
