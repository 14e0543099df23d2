import { InvalidInputError } from './errors.js';

/** A path segment with a trailing slash. @param attr name of the argument in the error */
export function segment(value: unknown, attr: string): string {
  if (typeof value !== 'string') throw new InvalidInputError(attr, 'it must be a string');
  if (value === '') throw new InvalidInputError(attr, 'it is empty');
  if (!value.isWellFormed()) throw new InvalidInputError(attr, 'it is not Unicode text');
  return `${encodeURIComponent(value)}/`;
}

/** A query string with its question mark; empty when no parameter is given. */
export function queryOf(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return query.size === 0 ? '' : `?${query.toString()}`;
}
