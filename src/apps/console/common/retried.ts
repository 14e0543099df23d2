import type { SentQuery } from './parameters.js';

/** How many accounts were just set back to pending; undefined unless the parameter is a count. */
export function retriedOf({ retried }: SentQuery): number | undefined {
  return typeof retried === 'string' && /^\d{1,9}$/.test(retried) ? Number(retried) : undefined;
}
