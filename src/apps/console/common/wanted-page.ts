import { ADDRESSES } from './addresses.js';

const PREFIX = '/console/';
/** Printable characters, and no backslash, which browsers read as a slash. */
const PRINTABLE = /^[!-[\]-~]+$/;
/** Only to resolve against; never sent. */
const BASE = 'http://service.invalid';

/**
 * The page to open after a sign-in, of whatever is named in an address or a form.
 *
 * @returns an address below `/console/`, never one of another site; undefined when the named one is not, or is itself a step of
 *   signing in or out
 * Source: choice C1.
 */
export function wantedPage(named: unknown): string | undefined {
  if (typeof named !== 'string' || !named.startsWith(PREFIX) || !PRINTABLE.test(named)) return undefined;
  // Resolved as a browser does, because `..` may lead out of the console.
  const { origin, pathname, search } = new URL(named, BASE);
  const isStep = [ADDRESSES.signIn, ADDRESSES.signOut].some((step) => pathname.startsWith(step));
  return origin === BASE && pathname.startsWith(PREFIX) && !isStep ? pathname + search : undefined;
}

/** The page of this service that led to a request, where its browser says so. */
export function pageBefore({
  referer = '',
  host,
}: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  const from = typeof referer === 'string' && URL.canParse(referer) ? new URL(referer) : undefined;
  return from && from.host === host ? wantedPage(from.pathname + from.search) : undefined;
}
