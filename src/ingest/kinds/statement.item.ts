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
    issued_date: { type: 'date' },
    number: { type: 'text' },
    gross_amount: { type: 'numeric' },
    statement_path: { type: 'text' },
  },
  key: { statement_id: 'text' },
  documents: {
    kind: 'statement',
    locations: 'array_remove(ARRAY[item.document_location], NULL)',
    hasUnseen: 'item.document_location IS NOT NULL AND item.document_seen_at IS NULL',
    unseen: 'SELECT item.statement_path AS path, item.document_location AS location, 1 AS position',
    unseenCount: '1',
    remember: 'document_seen_at = now()',
  },
  inFeed: {
    document_location: 'item.document_location',
    document_found: 'CASE WHEN item.document_seen_at IS NOT NULL THEN true END',
  },
  besides: {
    document_location: 'where the service expects the document',
    document_seen_at: 'what became of looking it up',
  },
} as const satisfies ItemKind;
