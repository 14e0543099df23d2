import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Holds the signed secret of a session. */
const SESSION = 'data_import_session';
/** Holds the secret of the forms of a session, or of a visitor without one. */
const FORMS = 'data_import_forms';
/** Holds the page that is wanted after the sign-in. */
const WANTED = 'data_import_wanted';
/** How long it is kept: an operator has to get a link first. */
const WANTED_SECONDS = 3_600;
/** Holds the zone in which times are shown. */
const TIME_ZONE = 'data_import_time_zone';
/** Says that the key / leads nowhere. */
const FIND_KEY = 'data_import_find_key';
/** How long what a viewer has chosen is kept: as long as browsers keep one. */
const CHOICE_SECONDS = 400 * 24 * 3_600;
/** Browsers keep no cookie that is longer than 4,096 bytes. */
const WANTED_LENGTH_MAX = 2_000;

/** What a request names as its session, as it was sent. */
export function sessionCookieOf(request: FastifyRequest): string | undefined {
  return request.cookies[nameOf(SESSION, request)];
}

export function setSessionCookie(reply: FastifyReply, value: string, expires: Date): void {
  void reply.setCookie(nameOf(SESSION, reply.request), value, {
    ...optionsFor(reply),
    // A link in a mail or a ticket leads to its page; what changes something needs the cookie of the forms too.
    sameSite: 'lax',
    expires,
  });
}

export function clearSessionCookie(reply: FastifyReply): void {
  for (const cookie of [SESSION, FORMS])
    void reply.clearCookie(nameOf(cookie, reply.request), optionsFor(reply));
}

export function formsSecretOf(request: FastifyRequest): string | undefined {
  return request.cookies[nameOf(FORMS, request)];
}

export function setFormsSecret(reply: FastifyReply, secret: string): void {
  setForReply(reply, FORMS, secret);
}

/** The page that is wanted after the sign-in, as it was kept; it may be anything. */
export function keptPageOf(request: FastifyRequest): string | undefined {
  return request.cookies[nameOf(WANTED, request)];
}

export function keepPage(reply: FastifyReply, address: string): void {
  if (address.length <= WANTED_LENGTH_MAX) setForReply(reply, WANTED, address, { maxAge: WANTED_SECONDS });
}

export function forgetPage(reply: FastifyReply): void {
  if (keptPageOf(reply.request) !== undefined)
    void reply.clearCookie(nameOf(WANTED, reply.request), optionsFor(reply));
}

/** The zone in which times are to be shown, as it was kept; it may be anything. */
export function timeZoneCookieOf(request: FastifyRequest): string | undefined {
  return request.cookies[nameOf(TIME_ZONE, request)];
}

/** @param zone undefined for that of the platform */
export function keepTimeZone(reply: FastifyReply, zone: string | undefined): void {
  keepChoice(reply, TIME_ZONE, zone);
}

/** Whether the key / leads to the box that finds. */
export function hasFindKey(request: FastifyRequest): boolean {
  return request.cookies[nameOf(FIND_KEY, request)] !== 'off';
}

export function keepFindKey(reply: FastifyReply, isOn: boolean): void {
  keepChoice(reply, FIND_KEY, isOn ? undefined : 'off');
}

/** @param value undefined for what holds when nothing is chosen */
function keepChoice(reply: FastifyReply, cookie: string, value: string | undefined): void {
  if (value === undefined) void reply.clearCookie(nameOf(cookie, reply.request), optionsFor(reply));
  // The page to which a link in a mail leads is like all others.
  else setForReply(reply, cookie, value, { sameSite: 'lax', maxAge: CHOICE_SECONDS });
}

/** What is rendered after it reads the new value. */
function setForReply(
  reply: FastifyReply,
  cookie: string,
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
function nameOf(cookie: string, request: FastifyRequest): string {
  return isOverTls(request) ? `__Host-${cookie}` : cookie;
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
