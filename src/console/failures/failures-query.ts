import { PageNotFound } from '../common/page-errors.js';
import { readOptionalSegment, type SentQuery } from '../common/parameters.js';
import { PERIODS, SOURCES, type Period, type Source } from './failures.types.js';

/** Of each period how many steps its trend has, and how many minutes long they are. */
const STEPS: Readonly<Record<Period, readonly [count: number, minutes: number]>> = {
  hour: [12, 5],
  day: [24, 60],
  '30-days': [30, 1_440],
};
const MINUTE_MS = 60_000;

/** How a page calls a period, and the last step of its trend. */
export const PERIOD_WORDS: Readonly<Record<Period, { readonly period: string; readonly step: string }>> = {
  hour: { period: 'last hour', step: '5 minutes' },
  day: { period: 'last day', step: 'hour' },
  '30-days': { period: 'last 30 days', step: 'day' },
};

/** @throws PageNotFound when it is none of the periods @returns 30 days when none was sent */
export function periodOf({ period = '30-days' }: SentQuery): Period {
  return PERIODS.find((known) => known === period) ?? notFound();
}

/** When the steps of a period begin that ends now; the first one is its beginning. */
export function stepsOf(period: Period, now: Date): Date[] {
  const [count, minutes] = STEPS[period];
  return Array.from(
    { length: count },
    (_, step) => new Date(now.getTime() - (count - step) * minutes * MINUTE_MS),
  );
}

/** Counts by the steps of a period, the last one now. @param trend by the numbers of the steps, from 1 */
export function trendCounts(period: Period, trend: Readonly<Record<string, number>>): number[] {
  return Array.from({ length: STEPS[period][0] }, (_, step) => trend[step + 1] ?? 0);
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
