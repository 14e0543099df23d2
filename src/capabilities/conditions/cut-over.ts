import type { ItemName } from '../../infrastructure/item-names/item-names.js';
import { boundedText } from '../../infrastructure/text/bounded-counts.js';
import type { SupplierFacts } from './facts.types.js';

const DAY_MS = 86_400_000;

/** How much time is left until the customers of a supplier are taken over. */
export interface CutOver {
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** Negative after the day. */
  readonly daysLeft: number;
  /** The rows a day that are needed, and those of the last day; undefined when nothing is missing, or it is not known what is. */
  readonly pace: { readonly needed: number; readonly present: number } | undefined;
}

/**
 * @param today in the platform's time zone
 * @returns undefined for a supplier without a day, of which nothing is claimed
 * Source: choice C12.
 */
export function cutOverOf(
  { supplier: { cutOver: day }, rows, storedInDay }: SupplierFacts,
  today: string,
): CutOver | undefined {
  if (day === null) return undefined;
  const daysLeft = Math.round((Date.parse(day) - Date.parse(today)) / DAY_MS);
  const missing = rows ? rows.expected - rows.stored : 0;
  if (!rows || missing <= 0) return { day, daysLeft, pace: undefined };
  const kinds = Object.keys(rows.kinds) as ItemName[];
  const present = kinds.reduce((sum, name) => sum + storedInDay[name], 0);
  return { day, daysLeft, pace: { needed: Math.ceil(missing / Math.max(daysLeft, 1)), present } };
}

/** Days left and the two paces, in words. */
export function cutOverText({ day, daysLeft, pace }: CutOver, dayText = day): string {
  const days = `${Math.abs(daysLeft)} ${Math.abs(daysLeft) === 1 ? 'day' : 'days'}`;
  const left = daysLeft > 0 ? `${days} left` : daysLeft === 0 ? 'today' : `${days} ago`;
  return `${dayText}, ${left}${pace ? `: needs ${boundedText(pace.needed)} rows a day (last day: ${boundedText(pace.present)})` : ''}`;
}
