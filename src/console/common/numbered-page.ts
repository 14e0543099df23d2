import { readOptionalSegment, type SentQuery } from './parameters.js';

/** Rows of a page of a list. */
const PAGE_ROWS = 100;

/** A page of a list in the order of the numbers of accounts (choice C10). */
export interface NumberedPage<Row> {
  readonly rows: readonly Row[];
  /** The number after which the next page begins, if there is one: its parameter `after`. */
  readonly next: string | undefined;
  readonly isFirst: boolean;
}

/**
 * Read the page that an address asks for.
 *
 * @param read at most so many rows after a number
 * @throws PageNotFound when what the page begins after is no number
 */
export async function numberedPage<Row extends { readonly externalAccountNumber: string }>(
  query: SentQuery,
  read: (after: string | undefined, countMax: number) => Promise<readonly Row[]>,
): Promise<NumberedPage<Row>> {
  const after = readOptionalSegment(query.after);
  const found = await read(after, PAGE_ROWS + 1);
  const rows = found.slice(0, PAGE_ROWS);
  const next = found.length > PAGE_ROWS ? rows.at(-1)?.externalAccountNumber : undefined;
  return { rows, next, isFirst: after === undefined };
}
