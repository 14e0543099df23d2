import { isIPv6 } from 'node:net';
import type { Environment } from '../../../infrastructure/config/settings.js';
import { ADDRESSES } from '../common/addresses.js';

/** Listening addresses that mean all addresses. From its own machine the service is then reached as localhost. */
const ALL_ADDRESSES = new Set(['0.0.0.0', '::']);

/** The address at which a service with these settings is reached from its own machine. */
export function serviceUrl({ HOST, PORT }: Pick<Environment, 'HOST' | 'PORT'>): string {
  const host = ALL_ADDRESSES.has(HOST) ? 'localhost' : HOST;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${PORT}`;
}

/** The address of a sign-in link. @param baseUrl of the service, without a path */
export function linkUrl(baseUrl: string, code: string): string {
  return `${baseUrl}${ADDRESSES.signIn}/${code}`;
}
