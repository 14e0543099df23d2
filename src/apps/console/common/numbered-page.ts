import { pageOf, type ListPage } from './cursor.js';
import { readOptionalSegment, type SentQuery } from './parameters.js';

const PAGE_ROWS = 100;

/**
 * Read the page that an address requests from a list in the order of account numbers (choice C10).
 *
 * @param read reads at most `countMax` rows after a number
 * @throws PageNotFound when the parameter for the start of the page is invalid
 */
export async function numberedPage<Row extends { readonly externalAccountNumber: string }>(
  query: SentQuery,
  read: (after: string | undefined, countMax: number) => Promise<readonly Row[]>,
): Promise<ListPage<Row>> {
  const after = readOptionalSegment(query.after);
  const found = await read(after, PAGE_ROWS + 1);
  return pageOf(found, PAGE_ROWS, after, ({ externalAccountNumber }) => externalAccountNumber);
}
