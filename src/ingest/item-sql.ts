import type { ItemName } from '../infrastructure/item-names/item-names.js';
import type { ItemField } from './kinds/item-kind.js';
import { ITEMS, type KindOf } from './kinds/items.js';

type AlteredField<Name extends ItemName> = KindOf<Name>['alteredFields'][number];

/** SQL for the sent values of the altered fields of a row `item`; NULL for a field that was omitted. */
const SENT: { readonly [Name in ItemName]: Readonly<Record<AlteredField<Name>, string>> } = {
  notes: { created_at: 'CASE WHEN item.created_at_sent THEN item.created_at END' },
  transactions: {
    transaction_date: 'coalesce(item.sent_date, item.transaction_date)',
    note: 'CASE WHEN item.sent_date IS NULL THEN item.note ELSE item.sent_note END',
  },
  statements: {},
  payment_instructions: {},
};

/** SQL for whether a row `item` has altered fields; null for kinds without such fields. */
export const IS_ALTERED: {
  readonly [Name in ItemName]: [AlteredField<Name>] extends [never] ? null : string;
} = {
  notes: 'NOT item.created_at_sent',
  transactions: 'item.sent_date IS NOT NULL',
  statements: null,
  payment_instructions: null,
};

/** SQL for the sent value of a field of a row `item`; NULL if it was omitted. */
export function sentValue(kind: ItemName, name: string): string {
  const altered: Readonly<Record<string, string>> = SENT[kind];
  const fields: Readonly<Record<string, ItemField>> = ITEMS[kind].fields;
  const defaultValue = fields[name]?.defaultValue;
  if (altered[name] !== undefined) return altered[name];
  if (defaultValue === undefined) return `item.${name}`;
  return `nullif(item.${name}, ${literal(defaultValue)})`;
}

function literal(value: string | boolean | readonly []): string {
  if (typeof value === 'boolean') return String(value);
  return `'${typeof value === 'string' ? value : '{}'}'`;
}

/**
 * SQL for whether the service, not a supplier, created a row `item`; null for kinds without such rows. The service creates the note
 * that lists moved transactions (choice X7). It is the only note that has the id of a request with transactions. The conditions on
 * the note's own columns come first, because they rule out most notes.
 */
export const IS_SERVICE_NOTE: Readonly<Record<ItemName, string | null>> = {
  notes: `item.is_pinned AND item.created_at_sent AND item.unpin_at IS NULL
             AND cardinality(item.document_paths) = 0
             AND (SELECT 1
                    FROM {import_request request}
                   WHERE request.import_supplier_id = :import_supplier_id
                     AND request.external_account_number = item.external_account_number
                     AND request.id = item.import_request_id
                     AND request.kind = 'transactions'
                   LIMIT 1) IS NOT NULL`,
  transactions: null,
  statements: null,
  payment_instructions: null,
};
