import { unreadableRow, type FoundRecord, type ReadRow, type RowError } from '@data-import/files';
import { ITEM_BYTES_MAX, LIST_ITEMS_MAX } from '../kinds/contract.generated.js';

/** Shorter rows are not checked: the service names them if one of their lists is too long. */
const LOOKED_AT_FROM = 2_048;

/**
 * Reject a row that the service would reject for its size, so that it is not sent (choice T19). Other rows are returned
 * unchanged.
 *
 * @param record the record of the row
 */
export function withinBounds(record: FoundRecord, row: ReadRow): ReadRow {
  if (row.error || record.to - record.from < LOOKED_AT_FROM) return row;
  const { item } = row;
  const value = JSON.parse(item) as object;
  const error = longList(value, '') ?? largeItem(item, value);
  return error ? unreadableRow(record, error, row.account) : row;
}

/**
 * The first list with more items than allowed.
 *
 * @param path the path of the object
 */
export function longList(object: object, path: string): RowError | undefined {
  for (const [name, content] of Object.entries(object)) {
    const allowed = LIST_ITEMS_MAX[name];
    if (allowed === undefined || !Array.isArray(content)) continue;
    if (content.length > allowed) return tooManyItems(path + name, allowed);
    for (const [index, item] of content.entries()) {
      const isObject = typeof item === 'object' && item !== null;
      const error = isObject ? longList(item as object, `${path}${name}.${index}.`) : undefined;
      if (error) return error;
    }
  }
  return undefined;
}

export function tooManyItems(attr: string, allowed: number): RowError {
  return { code: 'max_length', attr, detail: `At most ${allowed} items are allowed.` };
}

/** An escape counts as one byte, because only ASCII is escaped when a value is written. */
function largeItem(item: string, value: object): RowError | undefined {
  if (Buffer.byteLength(item) <= ITEM_BYTES_MAX) return undefined;
  const written = JSON.stringify(value).replaceAll(/\\(?:u[\da-f]{4}|.)/g, '-');
  if (Buffer.byteLength(written) <= ITEM_BYTES_MAX) return undefined;
  const detail = `At most ${ITEM_BYTES_MAX.toLocaleString('en')} bytes of UTF-8 are allowed, escapes and blanks between members not counted.`;
  return { code: 'max_length', attr: '', detail };
}
