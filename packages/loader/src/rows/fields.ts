import type { Kind } from './row.js';

/** How a cell or a mapped value becomes JSON. */
export type FieldType = 'text' | 'date' | 'date-time' | 'number' | 'boolean' | 'list' | 'paths';

export const ACCOUNT = 'external_account_number';

/** It comes from the option `--supplier`; a row that named another one would be loaded for that one. */
export const SUPPLIER = 'import_supplier';

/**
 * The fields of an item, without the account. By hand, because it is short; a test compares it with the description of the
 * interface (fields.spec.ts).
 */
export const FIELDS: Readonly<Record<Kind, Readonly<Record<string, FieldType>>>> = {
  notes: {
    body: 'text',
    document_paths: 'paths',
    created_at: 'date-time',
    is_pinned: 'boolean',
    unpin_at: 'date-time',
  },
  statements: {
    statement_id: 'text',
    bill_period_from_date: 'date',
    bill_period_to_date: 'date',
    issued_date: 'date',
    number: 'text',
    gross_amount: 'number',
    statement_path: 'text',
  },
  'payment-instructions': { vendor: 'text', reference: 'text', type: 'text' },
  transactions: {
    transaction_id: 'text',
    transaction_date: 'date',
    amount: 'number',
    type: 'text',
    reason: 'text',
    reference: 'text',
    payment_type: 'text',
    display_note: 'text',
    note: 'text',
    product_code: 'text',
    line_items: 'list',
    tax_items: 'list',
  },
};

/** The fields that every item must have. */
export const REQUIRED: Readonly<Record<Kind, readonly string[]>> = {
  notes: [],
  statements: ['statement_id', 'bill_period_from_date', 'bill_period_to_date'],
  'payment-instructions': ['vendor', 'reference', 'type'],
  transactions: ['transaction_id', 'transaction_date', 'amount', 'type'],
};

/** @returns the type of a field of the kind, the account included; undefined when there is no such field */
export function fieldType(kind: Kind, field: string): FieldType | undefined {
  if (field === ACCOUNT) return 'text';
  return Object.hasOwn(FIELDS[kind], field) ? FIELDS[kind][field] : undefined;
}

/** The names of all fields of a row, the account first. */
export function fieldNames(kind: Kind): string[] {
  return [ACCOUNT, ...Object.keys(FIELDS[kind])];
}
