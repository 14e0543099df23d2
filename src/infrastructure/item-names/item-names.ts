/**
 * The kinds of items, in the order in which everything lists them (choice V4): the name under which each is counted, its table,
 * and the kind of its import requests. src/ingest/kinds/ describes the contents of the tables.
 */
export const ITEM_KINDS = {
  notes: { table: 'note', request: 'notes' },
  transactions: { table: 'transaction', request: 'transactions' },
  statements: { table: 'statement', request: 'statements' },
  payment_instructions: { table: 'payment_instruction', request: 'payment_instruction' },
} as const;

export type ItemName = keyof typeof ITEM_KINDS;
type AnyKind = (typeof ITEM_KINDS)[ItemName];

/** The kinds of import requests. Each has its own endpoint. */
export type ImportKind = AnyKind['request'];

export const ITEM_NAMES = Object.keys(ITEM_KINDS) as ItemName[];

export const ITEM_TABLES = Object.values<AnyKind>(ITEM_KINDS).map(({ table }) => table);

/** The kinds of import requests, in the order of {@link ITEM_KINDS}. */
export const IMPORT_KINDS: readonly ImportKind[] = Object.values<AnyKind>(ITEM_KINDS).map(
  ({ request }) => request,
);

/** Number of items of each kind. */
export type ItemCounts = Readonly<Record<ItemName, number>>;

/** A value for each kind of item. */
export function forEachItem<Value>(valueOf: (name: ItemName) => Value): Record<ItemName, Value> {
  return Object.fromEntries(ITEM_NAMES.map((name) => [name, valueOf(name)])) as Record<ItemName, Value>;
}
