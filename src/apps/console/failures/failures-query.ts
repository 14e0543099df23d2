import { PageNotFound } from '../common/page-errors.js';
import { readOptionalSegment, type SentQuery } from '../common/parameters.js';
import { PERIODS, SOURCES, type Period, type Source } from './failures.types.js';

const MINUTE_MS = 60_000;

/** @throws PageNotFound when it is none of the periods @returns 30 days when none was sent */
export function periodOf({ period = '30-days' }: SentQuery): Period {
  return typeof period === 'string' && Object.hasOwn(PERIODS, period) ? (period as Period) : notFound();
}

/** When the steps of a period begin that ends now; the first one is its beginning. */
export function stepsOf(period: Period, now: Date): Date[] {
  const { steps, stepMinutes } = PERIODS[period];
  return Array.from(
    { length: steps },
    (_, step) => new Date(now.getTime() - (steps - step) * stepMinutes * MINUTE_MS),
  );
}

/** Counts by the steps of a period, the last one now. @param trend by the numbers of the steps, from 1 */
export function trendCounts(period: Period, trend: Readonly<Record<string, number>>): number[] {
  return Array.from({ length: PERIODS[period].steps }, (_, step) => trend[step + 1] ?? 0);
}

/** @throws PageNotFound when there is no such source */
export function sourceOf({ source }: SentQuery): Source {
  return SOURCES.find((known) => known === source) ?? notFound();
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
