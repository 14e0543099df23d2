import type { CommandResult, Table } from './command-line.js';

/** How the items of a list are printed. */
export interface Listing<Item> extends Pick<Table, 'head' | 'none'> {
  readonly json: (item: Item) => unknown;
  readonly row: (item: Item) => readonly (string | number)[];
}

/** The result of a command that lists: its items are printed while they are read. @param limit how many of them at most */
export function listed<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  { json, row, ...table }: Listing<Item>,
  limit?: number,
): CommandResult {
  return { json: each(items, json, limit), text: { ...table, rows: each(items, row, limit) } };
}

/** Change each item of a list when it is read. @param limit how many of them at most */
export async function* each<Item, Changed>(
  items: Iterable<Item> | AsyncIterable<Item>,
  change: (item: Item) => Changed,
  limit = Infinity,
): AsyncGenerator<Changed> {
  let count = 0;
  for await (const item of items) {
    yield change(item);
    count += 1;
    if (count === limit) return;
  }
}
