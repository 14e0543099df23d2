import { ADDRESSES } from './addresses.js';

const PREFIX = '/console/';
/** Printable characters except the backslash, which browsers read as a slash. */
const PRINTABLE = /^[!-[\]-~]+$/;
/** Base for resolving addresses; never sent. */
const BASE = 'http://service.invalid';

/**
 * The page to open after a sign-in, read from an address or a form.
 *
 * @returns an address below `/console/`, never one of another site; undefined when the value is no such address, or is
 *   itself a step of signing in or out
 * Source: choice C1.
 */
export function wantedPage(named: unknown): string | undefined {
  if (typeof named !== 'string' || !named.startsWith(PREFIX) || !PRINTABLE.test(named)) return undefined;
  // Resolved as a browser does, because `..` may lead out of the console.
  const { origin, pathname, search } = new URL(named, BASE);
  const isStep = [ADDRESSES.signIn, ADDRESSES.signOut].some((step) => pathname.startsWith(step));
  return origin === BASE && pathname.startsWith(PREFIX) && !isStep ? pathname + search : undefined;
}

/** The page of this service that led to a request, if its browser says so. */
export function pageBefore({
  referer = '',
  host,
}: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  const from = typeof referer === 'string' && URL.canParse(referer) ? new URL(referer) : undefined;
  return from && from.host === host ? wantedPage(from.pathname + from.search) : undefined;
}
