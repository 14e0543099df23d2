import type { Row } from '@data-import/files';
import { ACCOUNT, operationOf, SUPPLIER } from '../kinds/fields.js';
import type { Kind } from '../kinds/kinds.js';

/** Contiguous rows of one account that are sent together. */
export interface Request {
  readonly kind: Kind;
  readonly account: string;
  readonly rows: readonly Row[];
  /** Approximate size of its payload. */
  readonly bytes: number;
  /** Whether another request of this account follows. */
  readonly hasMore: boolean;
}

/** The payload, with the text of each item as in the file (specification 4.1 to 4.4). */
export function payload({ kind, account, rows }: Request, supplier: string): string {
  const pair = `{"${SUPPLIER}":${JSON.stringify(supplier)},"${ACCOUNT}":${JSON.stringify(account)}`;
  const { list } = operationOf(kind);
  const items = rows.map(({ item }) => item);
  if (list !== undefined) return `${pair},"${list}":[${items.join(',')}]}`;
  const members = (items[0] ?? '{}').trim().slice(1, -1);
  return members.trim() === '' ? `${pair}}` : `${pair},${members}}`;
}
