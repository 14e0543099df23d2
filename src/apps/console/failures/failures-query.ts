import { PageNotFound } from '../common/page-errors.js';
import { readOptionalSegment, type SentQuery } from '../common/parameters.js';
import { PERIODS, SOURCES, type Period, type Source } from './failures.types.js';

const MINUTE_MS = 60_000;

/** @throws PageNotFound for an unknown period @returns 30 days when none was sent */
export function periodOf({ period = '30-days' }: SentQuery): Period {
  return typeof period === 'string' && Object.hasOwn(PERIODS, period) ? (period as Period) : notFound();
}

/** The start times of the steps of a period that ends now. The first is the start of the period. */
export function stepsOf(period: Period, now: Date): Date[] {
  const { steps, stepMinutes } = PERIODS[period];
  return Array.from(
    { length: steps },
    (_, step) => new Date(now.getTime() - (steps - step) * stepMinutes * MINUTE_MS),
  );
}

/** @throws PageNotFound when there is no such source */
export function sourceOf({ source }: SentQuery): Source {
  return SOURCES.find((known) => known === source) ?? notFound();
}

/**
 * The cause that a query names, if any. A cause of refusals is a bigint as PostgreSQL writes it.
 *
 * @throws PageNotFound when it cannot be a cause
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
