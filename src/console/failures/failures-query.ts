import { PageNotFound } from '../common/page-errors.js';
import { readOptionalSegment, type SentQuery } from '../common/parameters.js';
import { PERIODS, SOURCES, type Period, type Source } from './failures.types.js';

const HOURS: Readonly<Record<Period, number>> = { hour: 1, day: 24, '30-days': 720 };
const HOUR_MS = 3_600_000;

/** @throws PageNotFound when it is none of the periods @returns 30 days when none was sent */
export function periodOf({ period = '30-days' }: SentQuery): Period {
  return PERIODS.find((known) => known === period) ?? notFound();
}

/** The beginning of a period that ends now. */
export function sinceOf(period: Period, now: Date): Date {
  return new Date(now.getTime() - HOURS[period] * HOUR_MS);
}

/** @throws PageNotFound when there is no such source */
export function sourceOf(name: string): Source {
  return SOURCES.find((known) => known === name) ?? notFound();
}

/**
 * The cause that a query names, if it names one; of refusals as PostgreSQL writes a bigint.
 *
 * @throws PageNotFound when it cannot be one
 */
export function causeOf(source: Source, { cause }: SentQuery): string | undefined {
  const text = readOptionalSegment(cause);
  return text === undefined || source === 'imports' || isBigint(text) ? text : notFound();
}

function isBigint(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

function notFound(): never {
  throw new PageNotFound();
}
