import { keyTypes } from '../kinds/item-kind.js';
import { ITEMS, type NameWithDocuments } from '../kinds/items.js';

/** SQL for the documents that a row `item` names. */
interface DocumentSql {
  /** Their expected locations: an array without NULL. */
  readonly locations: string;
  /** Whether any of the documents has not been seen in the store. If so, the item's request has the flag `has_unseen_documents`. */
  readonly hasUnseen: string;
  /** A query for the documents that have not been seen: `path`, `location` and `position` in the item. */
  readonly unseen: string;
  readonly unseenCount: string;
  /** The assignments that record a look-up; `seen.unseen` has the missing paths, joined with line feeds, or is NULL. */
  readonly markSeen: string;
}

const SQL: Readonly<Record<NameWithDocuments, DocumentSql>> = {
  notes: {
    locations: 'item.document_locations',
    hasUnseen: 'cardinality(item.document_locations) > 0 AND item.documents_seen_at IS NULL',
    unseen: `SELECT d.path, d.location, d.position
                     FROM unnest(item.document_paths, item.document_locations) WITH ORDINALITY AS d (path, location, position)
                    WHERE d.path = ANY (coalesce(item.unseen_document_paths, item.document_paths))`,
    unseenCount: 'cardinality(coalesce(item.unseen_document_paths, item.document_paths))',
    markSeen: `documents_seen_at = CASE WHEN seen.unseen IS NULL THEN now() END,
          unseen_document_paths = string_to_array(seen.unseen, E'\\n')`,
  },
  statements: {
    locations: 'array_remove(ARRAY[item.document_location], NULL)',
    hasUnseen: 'item.document_location IS NOT NULL AND item.document_seen_at IS NULL',
    unseen: 'SELECT item.statement_path AS path, item.document_location AS location, 1 AS position',
    unseenCount: '1',
    markSeen: 'document_seen_at = now()',
  },
};

/** The kinds that may name documents, ordered by their name in reports, with the SQL for their documents. */
export const ITEMS_WITH_DOCUMENTS = (Object.keys(SQL) as NameWithDocuments[]).map((name) => ({
  ...{ name, ...ITEMS[name] },
  key: keyTypes(ITEMS[name]),
  sql: SQL[name],
}));
export type ItemWithDocuments = (typeof ITEMS_WITH_DOCUMENTS)[number];
