import type { Kind, Row } from '../rows/row.js';

/** Path below `/v1/data-import/` of the requests of each kind, and the member of their payload that lists the items. */
export const ENDPOINTS: Readonly<Record<Kind, { readonly path: string; readonly list?: string }>> = {
  notes: { path: 'notes/create/', list: 'notes' },
  statements: { path: 'historical-statements/create/', list: 'statements' },
  'payment-instructions': { path: 'payment-instruction/create/' },
  transactions: { path: 'transactions/create/', list: 'transactions' },
};

/** Contiguous rows of one account that are sent together. */
export interface Request {
  readonly kind: Kind;
  readonly account: string;
  readonly rows: readonly Row[];
  /** About how large its payload is. */
  readonly bytes: number;
  /** Whether another request of this account follows. */
  readonly hasMore: boolean;
}

/** The payload, with the text of each item as it stands in the file (specification 4.1 to 4.4). */
export function payload({ kind, account, rows }: Request, supplier: string): string {
  const pair = `{"import_supplier":${JSON.stringify(supplier)},"external_account_number":${JSON.stringify(account)}`;
  const { list } = ENDPOINTS[kind];
  const items = rows.map(({ item }) => item);
  if (list !== undefined) return `${pair},"${list}":[${items.join(',')}]}`;
  const members = (items[0] ?? '{}').trim().slice(1, -1);
  return members.trim() === '' ? `${pair}}` : `${pair},${members}}`;
}
