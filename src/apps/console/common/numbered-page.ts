import { pageOf, type ListPage } from './cursor.js';
import { readOptionalSegment, type SentQuery } from './parameters.js';

/** Rows of a page of a list. */
const PAGE_ROWS = 100;

/**
 * Read the page of a list in the order of the numbers of accounts that an address asks for (choice C10).
 *
 * @param read at most so many rows after a number
 * @throws PageNotFound when what the page begins after is no number
 */
export async function numberedPage<Row extends { readonly externalAccountNumber: string }>(
  query: SentQuery,
  read: (after: string | undefined, countMax: number) => Promise<readonly Row[]>,
): Promise<ListPage<Row>> {
  const after = readOptionalSegment(query.after);
  const found = await read(after, PAGE_ROWS + 1);
  return pageOf(found, PAGE_ROWS, after, ({ externalAccountNumber }) => externalAccountNumber);
}
