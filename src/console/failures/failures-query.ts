import { PageNotFound } from '../common/page-errors.js';
import { PERIODS, type Period } from './failures.types.js';

/** The query of an address as it was sent. */
export type SentQuery = Readonly<Record<string, unknown>>;

const HOURS: Readonly<Record<Period, number>> = { hour: 1, day: 24, '30-days': 720 };
const HOUR_MS = 3_600_000;

/** @throws PageNotFound when it is none of the periods @returns 30 days when none was sent */
export function periodOf({ period = '30-days' }: SentQuery): Period {
  return PERIODS.find((known) => known === period) ?? notFound();
}

/** The first moment of a period that ends now. */
export function sinceOf(period: Period, now: Date): Date {
  return new Date(now.getTime() - HOURS[period] * HOUR_MS);
}

/**
 * The group of refusals that a query names, as PostgreSQL writes a bigint.
 *
 * @throws PageNotFound when it cannot be one
 */
export function refusalCauseOf({ cause }: SentQuery): string {
  const isNumber = typeof cause === 'string' && /^-?\d{1,19}$/.test(cause);
  return isNumber && BigInt.asIntN(64, BigInt(cause)) === BigInt(cause) ? cause : notFound();
}

/** A text of the query, by its name. @throws PageNotFound when it is none, or is sent several times */
export function textOf(query: SentQuery, name: string): string {
  const text = query[name];
  return typeof text === 'string' && !text.includes('\0') ? text : notFound();
}

/** {@link textOf}, or undefined when it was not sent. */
export function optionalTextOf(query: SentQuery, name: string): string | undefined {
  return query[name] === undefined ? undefined : textOf(query, name);
}

/** A count in the query; anything else is as if it was not sent. */
export function countOf(query: SentQuery, name: string): number | undefined {
  const text = query[name];
  return typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function notFound(): never {
  throw new PageNotFound();
}
