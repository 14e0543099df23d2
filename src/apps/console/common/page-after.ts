import { pageOf, type ListPage } from './cursor.js';
import { readOptionalSegment, type SentQuery } from './parameters.js';

const PAGE_ROWS = 100;

/**
 * Read the page of a list that an address requests.
 *
 * @param read reads at most `countMax` rows after a position
 * @param positionOf the position of a row
 * @throws PageNotFound when the parameter for the start of the page is invalid
 * Source: choice C10.
 */
export async function pageAfter<Row>(
  query: SentQuery,
  read: (after: string | undefined, countMax: number) => Promise<readonly Row[]>,
  positionOf: (row: Row) => string,
): Promise<ListPage<Row>> {
  const after = readOptionalSegment(query.after);
  return pageOf(await read(after, PAGE_ROWS + 1), PAGE_ROWS, after, positionOf);
}
