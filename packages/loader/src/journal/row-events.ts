import { placeText, type ReadRow } from '@data-import/files';
import type { Kind } from '../kinds/kinds.js';
import type { Arrived, Failed, RefusedField } from './events.js';
import { recordedMoves, type Move } from './moves.js';
import { rawText } from './raw-text.js';

/**
 * The event for a row that failed.
 *
 * @param place the place of the row in the files of the folder. A corrected row takes the place of the row that it
 * replaces
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
    ...(row.error !== undefined && { isUnread: true }),
    errors: row.error === undefined ? errors.map((error) => placed(error, row)) : errors,
  };
}

/**
 * The event for a row that had failed and has now arrived.
 *
 * @param place as for {@link failedEvent}
 */
export function arrivedEvent(
  kind: Kind,
  { start, end, origin }: Pick<ReadRow, 'start' | 'end' | 'origin'>,
  at: number,
  { isNew, move }: { readonly isNew: boolean; readonly move?: Move | undefined },
): Arrived {
  const moved = recordedMoves([{ start, end, move }]);
  return { event: 'arrived', kind, at, start, end, origin, isNew, ...(moved && { moved }) };
}

/** Add the file and line of an item to the detail of an error, if the item comes from another file than its row (choice L6). */
function placed(error: RefusedField, { placeOf }: ReadRow): RefusedField {
  const place = placeOf?.(error.attr);
  return place ? { ...error, detail: `${placeText(place)}: ${error.detail}` } : error;
}
