import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The names of the cookies. */
const NAMES = {
  /** Holds the signed secret of a session. */
  session: 'data_import_session',
  /** Holds the secret of the forms of a session, or of a visitor without one. */
  forms: 'data_import_forms',
  /** Holds the page that is wanted after the sign-in. */
  wanted: 'data_import_wanted',
  /** Holds the zone in which times are shown. */
  timeZone: 'data_import_time_zone',
  /** Is `off` when the key / leads nowhere. */
  findKey: 'data_import_find_key',
} as const;
type CookieName = keyof typeof NAMES;

/** How long the wanted page is kept: an operator has to get a link first. */
const WANTED_SECONDS = 3_600;
/** How long what a viewer has chosen is kept: as long as browsers keep one. */
const CHOICE_SECONDS = 400 * 24 * 3_600;
/** Browsers keep no cookie that is longer than 4,096 bytes. */
const WANTED_LENGTH_MAX = 2_000;

/** The value of a cookie as it was sent; it may be anything. */
export function cookieOf(request: FastifyRequest, cookie: CookieName): string | undefined {
  return request.cookies[nameOf(cookie, request)];
}

/** Give the browser its session, for as long as that lasts. @param value signed (viewers/session-cookies.ts) */
export function setSessionCookie(reply: FastifyReply, value: string, expires: Date): void {
  void reply.setCookie(nameOf('session', reply.request), value, {
    ...optionsFor(reply),
    // A link in a mail or a ticket leads to its page; what changes something needs the cookie of the forms too.
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

export function keepPage(reply: FastifyReply, address: string): void {
  if (address.length <= WANTED_LENGTH_MAX) setForReply(reply, 'wanted', address, { maxAge: WANTED_SECONDS });
}

export function forgetPage(reply: FastifyReply): void {
  if (cookieOf(reply.request, 'wanted') !== undefined)
    void reply.clearCookie(nameOf('wanted', reply.request), optionsFor(reply));
}

/** Keep what a viewer has chosen. @param value undefined for what holds when nothing is chosen */
export function keepChoice(
  reply: FastifyReply,
  cookie: 'timeZone' | 'findKey',
  value: string | undefined,
): void {
  if (value === undefined) void reply.clearCookie(nameOf(cookie, reply.request), optionsFor(reply));
  // The page to which a link in a mail leads is like all others.
  else setForReply(reply, cookie, value, { sameSite: 'lax', maxAge: CHOICE_SECONDS });
}

/** What is rendered after it reads the new value. */
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
 * Over TLS a name with a prefix by which the browser knows that no other host, and nobody without TLS, has set the cookie; no other
 * name is read then.
 */
function nameOf(cookie: CookieName, request: FastifyRequest): string {
  return `${isOverTls(request) ? '__Host-' : ''}${NAMES[cookie]}`;
}

/**
 * No script reads the cookie, no other site causes it to be sent (of a session none but by a link), and after TLS it is not sent without (choice C1). The prefix of the
 * name needs the path `/`.
 */
function optionsFor({ request }: FastifyReply): CookieSerializeOptions {
  const secure = isOverTls(request);
  return { path: secure ? '/' : '/console', httpOnly: true, sameSite: 'strict', secure };
}

function isOverTls({ protocol }: FastifyRequest): boolean {
  return protocol === 'https';
}
