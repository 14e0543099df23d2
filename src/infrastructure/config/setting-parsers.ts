import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { expectDatabaseAddress } from './database-address.js';
import { databaseTls } from './database-tls.js';

// Parsers for the text of settings. Each throws an Error whose message completes the sentence "NAME …".

export const NONE = 'none';

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  };
}

export function oneOf<const V extends string>(...values: V[]): (text: string) => V {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`);
    return found;
  };
}

export function optional<T>(parse: (text: string) => T): (text: string) => T | undefined {
  return (text) => (text === NONE ? undefined : parse(text));
}

export function postgresUrl(text: string): string {
  expectDatabaseAddress(text);
  try {
    databaseTls(text, {});
  } catch (cause) {
    throw new Error(`has a wrong parameter: ${(cause as Error).message}`, { cause });
  }
  return text;
}

/** Control characters are rejected because PostgreSQL writes the name of its folder into a line of a file. */
export function folder(text: string): string {
  if (/\p{Cc}/u.test(text))
    throw new Error('must be the name of a folder, without line ends and other control characters');
  return resolve(text);
}

export function signingKeys(text: string): string[] {
  const keys = text.split(',').map((key) => key.trim());
  if (keys.length > 2 || keys.some((key) => key.length < 32)) {
    throw new Error('must be one or two keys of at least 32 characters, separated by a comma');
  }
  return keys;
}

export function timeZone(text: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    throw new Error('must be a time zone of the IANA database, for example Europe/Berlin');
  }
}

export function networks(text: string): string[] {
  const list = text.split(',').map((part) => part.trim());
  if (!list.every((network) => NAMED_NETWORKS.has(network) || isNetwork(network))) {
    throw new Error(
      `must be addresses, networks such as 10.0.0.0/8 or the names ${[...NAMED_NETWORKS].join(', ')}, separated by commas`,
    );
  }
  return list;
}

/** Fastify's names for private networks. */
const NAMED_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Fastify accepts a bare number as an address, and rejects an invalid one only after PostgreSQL has started. */
function isNetwork(text: string): boolean {
  const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0 || length === undefined) return version !== 0;
  return Number(length) >= 1 && Number(length) <= (version === 4 ? 32 : 128);
}

export function address(text: string): string {
  if (text.trim() === '' || /\s/.test(text)) throw new Error('must be a host name or an IP address');
  return text;
}

/** A credential that is sent in a header, which may contain only printable ASCII. */
export function vendorKey(text: string): string {
  if (!/^[\x21-\x7e]{8,}$/.test(text)) {
    throw new Error('must be the key as the vendor shows it: 8 characters or more, without spaces');
  }
  return text;
}

/** Scheme, host and port only. */
export function originUrl(text: string): string {
  return safeUrl(text, 'https://host or https://host:port', (url) => `${url.origin}/`).origin;
}

/** An address of a provider may have a path, and is compared with what the provider says of itself. */
export function issuerUrl(text: string): string {
  safeUrl(
    text,
    'an address without user, query and fragment, https://host/path',
    (url) => url.origin + url.pathname,
  );
  return text;
}

/**
 * Keys and secrets are never sent over a network unencrypted, so http is only for this machine.
 *
 * @param form the form of an address, for people; @param allowed the parts of an address that it may have
 */
function safeUrl(text: string, form: string, allowed: (url: URL) => string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname));
  if (!url || !isSafe || allowed(url) !== url.href)
    throw new Error(`must be ${form}; http:// only for 127.0.0.1, [::1] or localhost`);
  return url;
}

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
