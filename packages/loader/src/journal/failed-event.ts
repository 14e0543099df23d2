import type { Kind } from '../kinds/kinds.js';
import type { ReadRow } from '../rows/row.js';
import type { Failed, RefusedField } from './events.js';
import { rawText } from './raw-text.js';

/**
 * The event of a row that failed.
 *
 * @param place where the row stands in the files of the folder, which a corrected row takes over from the one that it replaces
 * @param at milliseconds since 1970
 */
export function failedEvent(
  kind: Kind,
  row: ReadRow,
  { start, end, origin }: Pick<ReadRow, 'start' | 'end' | 'origin'>,
  at: number,
  errors: readonly RefusedField[],
): Failed {
  return {
    event: 'failed',
    kind,
    at,
    start,
    end,
    origin,
    ...(row.account !== undefined && { account: row.account }),
    ...(row.error === undefined && row.key !== undefined && { key: row.key }),
    raw: rawText(row.raw),
    errors,
  };
}
