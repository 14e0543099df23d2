import { countWithin } from '../../../infrastructure/database/count-within.js';
import { isCalendarDay } from '../../../infrastructure/clock/dates.js';
import { isUuid } from '../../../infrastructure/text/uuid.js';
import type { RequestCursor } from '../../../capabilities/request-log/requests/sent-requests.types.js';

/** A timestamp as PostgreSQL writes it. */
const TIMESTAMP =
  /^\d{4}-\d\d-\d\d ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?[+-](0\d|1[0-5])(:[0-5]\d){0,2}$/;

/**
 * For each type of sort value: `start` sorts before every row, and `isValue` tells whether a text from an address is valid. An address may
 * be forged, and must not make PostgreSQL fail.
 */
const TYPES = {
  date: { start: 'infinity', isValue: isCalendarDay },
  timestamptz: {
    start: 'infinity',
    isValue: (text: string): boolean => TIMESTAMP.test(text) && isCalendarDay(text.slice(0, 10)),
  },
  text: {
    start: '',
    isValue: (text: string): boolean => text.length <= 256 && text.isWellFormed() && !text.includes('\0'),
  },
  bytea: { start: '', isValue: (text: string): boolean => /^([0-9a-f]{32}){1,2}$/.test(text) },
  bigint: { start: '0', isValue: (text: string): boolean => /^\d{1,16}$/.test(text) },
  uuid: { start: 'ffffffff-ffff-ffff-ffff-ffffffffffff', isValue: isUuid },
} as const;

export type CursorType = keyof typeof TYPES;

/**
 * A page of a list.
 *
 * @typeParam Next the position of the next page. It is the text of one parameter, or an object that becomes several parameters
 */
export interface ListPage<Row, Next = string> {
  readonly rows: readonly Row[];
  /** Whether it is not the first one. */
  readonly isContinued: boolean;
  /** Where the next page begins, if there is one. */
  readonly next: Next | undefined;
}

/**
 * Make a page from the rows that were found after a position.
 *
 * @param after undefined for the first page
 * @param rowsMax the most rows on the page. The caller tried to read at least one more; if it was found, there is another page
 * @param nextOf where the page after a row begins
 */
export function pageOf<Row, Next>(
  found: readonly Row[],
  rowsMax: number,
  after: unknown,
  nextOf: (last: Row) => Next,
): ListPage<Row, Next> {
  const rows = found.slice(0, rowsMax);
  const last = rows.at(-1);
  return {
    rows,
    isContinued: after !== undefined,
    next: last && found.length > rowsMax ? nextOf(last) : undefined,
  };
}

/** The parameter of an address that encodes the values of a row. */
export function encodeCursor(values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** @returns undefined, for the start of the list, when the parameter is missing or not a cursor of this list */
export function decodeCursor(
  types: readonly CursorType[],
  parameter: string | undefined,
): string[] | undefined {
  try {
    const cursor: unknown = JSON.parse(Buffer.from(parameter ?? '', 'base64url').toString());
    return isCursor(cursor, types) ? cursor : undefined;
  } catch {
    return undefined;
  }
}

function isCursor(cursor: unknown, types: readonly CursorType[]): cursor is string[] {
  if (!Array.isArray(cursor) || cursor.length !== types.length) return false;
  return types.every((type, index) => {
    const value: unknown = cursor[index];
    return typeof value === 'string' && (value === TYPES[type].start || TYPES[type].isValue(value));
  });
}

/**
 * Read a page of a list, and whether another one follows.
 *
 * @param types the types of the values that the list is ordered by
 * @param after the parameter with which the page begins; anything but a cursor means the first page
 * @param read reads at most `countMax` rows after a position
 * @param cursorOf the values by which a row is ordered
 * @param bytesMax the most bytes of rows on the page, counted as JSON. A page of large rows therefore has fewer rows
 */
export async function readPage<Row>(
  types: readonly CursorType[],
  after: string | undefined,
  rowsMax: number,
  read: (position: readonly string[], countMax: number) => Promise<Row[]>,
  cursorOf: (row: Row) => readonly string[],
  bytesMax = Infinity,
): Promise<ListPage<Row>> {
  const cursor = decodeCursor(types, after);
  const found = await read(cursor ?? types.map((type) => TYPES[type].start), rowsMax + 1);
  const shownMax = Math.min(
    rowsMax,
    countWithin(
      bytesMax,
      found.map((row) => JSON.stringify(row)),
    ),
  );
  return pageOf(found, shownMax, cursor, (last) => encodeCursor(cursorOf(last)));
}

/** The position at which a list in the order of time continues. Lists of requests and of other entries use the same one. */
export type ListCursor = RequestCursor;

/** {@link readPage} of a list in the order of time, newest first. */
export function readNewest<Row extends ListCursor>(
  after: string | undefined,
  rowsMax: number,
  read: (position: ListCursor, countMax: number) => Promise<Row[]>,
): Promise<ListPage<Row>> {
  return readPage(
    ['timestamptz', 'uuid'],
    after,
    rowsMax,
    ([exact_at = '', id = ''], countMax) => read({ exact_at, id }, countMax),
    ({ exact_at, id }) => [exact_at, id],
  );
}
