import { ITEM_KINDS } from '../../infrastructure/item-names/item-names.js';
import type { ItemKind } from './item-kind.js';

/** A historical statement (specification 2.5). Two with the same id must have the same content (choice H3). */
export const STATEMENT = {
  ...ITEM_KINDS.statements,
  requestWords: 'statements',
  section: 'historical_statements',
  label: 'Statements',
  fields: {
    statement_id: { type: 'text' },
    bill_period_from_date: { type: 'date' },
    bill_period_to_date: { type: 'date' },
    issued_date: { type: 'date', nullable: true },
    number: { type: 'text', nullable: true },
    gross_amount: { type: 'numeric', nullable: true },
    statement_path: { type: 'text', nullable: true },
  },
  same: ['statement_id'],
  key: ['statement_id'],
  documents: 'statement',
  alteredFields: [],
  feedFields: { document_location: 'text', document_found: 'boolean' },
  excludedColumns: {
    // Bucket, document root and path at the time of storing (choice F1).
    document_location: { type: 'text', nullable: true },
    // When the PDF was seen in the store (choice F3).
    document_seen_at: { type: 'timestamptz', nullable: true },
  },
} as const satisfies ItemKind;
