import { PageNotFound } from './page-errors.js';

/** The fields of a form by name, as sent. If a field is repeated, its last value counts. */
export type FormFields = Readonly<Record<string, string | undefined>>;

/** The query of an address as sent. */
export type SentQuery = Readonly<Record<string, unknown>>;

/** A parameter that can be passed to the database; undefined when it is empty, repeated, or cannot be stored as text. */
export function readText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || !canBeStored(text) ? undefined : text;
}

/**
 * A code, number or id in an address.
 *
 * @throws PageNotFound when it is repeated, or cannot be stored as text
 */
export function readSegment(value: unknown): string {
  if (typeof value !== 'string' || !canBeStored(value)) throw new PageNotFound();
  return value;
}

/** {@link readSegment}, or undefined when it was not sent. */
export function readOptionalSegment(value: unknown): string | undefined {
  return value === undefined ? undefined : readSegment(value);
}

function canBeStored(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * A filter that has one of several values. A form sends an empty one for a filter that is not set.
 *
 * @throws PageNotFound for any other value
 */
export function readChoice<Value extends string>(values: readonly Value[], sent: unknown): Value | undefined {
  if (sent === undefined || sent === '') return undefined;
  const found = values.find((value) => value === sent);
  if (found === undefined) throw new PageNotFound();
  return found;
}
