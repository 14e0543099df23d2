import type { SentQuery } from './parameters.js';

/** How many accounts were just set back to pending; anything else than a count is as if it was not sent. */
export function retriedOf({ retried }: SentQuery): number | undefined {
  return typeof retried === 'string' && /^\d{1,9}$/.test(retried) ? Number(retried) : undefined;
}
