import { ITEM_KINDS } from '../../infrastructure/item-names/item-names.js';
import type { ItemKind } from './item-kind.js';

/** A note (specification 2.3). Two with the same body, or the same paths without a body, are the same (choices N1, N4). */
export const NOTE = {
  ...ITEM_KINDS.notes,
  requestWords: 'notes',
  section: 'notes',
  label: 'Notes',
  fields: {
    body: { type: 'text', absent: '', sent: `nullif(item.body, '')` },
    document_paths: { type: 'paths', sent: `nullif(item.document_paths, '{}')` },
    created_at: { type: 'timestamptz', sent: 'CASE WHEN item.created_at_sent THEN item.created_at END' },
    is_pinned: { type: 'boolean', absent: false, sent: 'nullif(item.is_pinned, false)' },
    unpin_at: { type: 'timestamptz' },
  },
  // Not key_time, which an undo changes: whoever has read a note finds it again.
  key: { content_hash: 'bytea', created_at: 'timestamptz' },
  documents: {
    kind: 'note',
    locations: 'item.document_locations',
    hasUnseen: 'cardinality(item.document_locations) > 0 AND item.documents_seen_at IS NULL',
    unseen: `SELECT d.path, d.location, d.position
                     FROM unnest(item.document_paths, item.document_locations) WITH ORDINALITY AS d (path, location, position)
                    WHERE d.path = ANY (coalesce(item.unseen_document_paths, item.document_paths))`,
    unseenCount: 'cardinality(coalesce(item.unseen_document_paths, item.document_paths))',
    remember: `documents_seen_at = CASE WHEN seen.unseen IS NULL THEN now() END,
          unseen_document_paths = string_to_array(seen.unseen, E'\\n')`,
  },
  differs: { when: 'NOT item.created_at_sent', fields: ['created_at'] },
  inFeed: {
    document_paths: `CASE WHEN item.document_paths = '{}' THEN '[]'::json ELSE (
              SELECT json_agg(json_build_object('document_path', d.path, 'location', d.location,
                                                'found', CASE WHEN item.documents_seen_at IS NOT NULL THEN true
                                                              WHEN item.unseen_document_paths IS NOT NULL
                                                              THEN d.path <> ALL (item.unseen_document_paths) END)
                              ORDER BY d.position)
                FROM unnest(item.document_paths, item.document_locations) WITH ORDINALITY AS d (path, location, position)) END`,
  },
  // The note that lists moved transactions (choice X7). It carries the id of a request with transactions; no other note does. Most
  // notes are told apart by their own columns.
  ofService: `item.is_pinned AND item.created_at_sent AND item.unpin_at IS NULL
             AND cardinality(item.document_paths) = 0
             AND (SELECT 1
                    FROM {import_request request}
                   WHERE request.import_supplier_id = :import_supplier_id
                     AND request.external_account_number = item.external_account_number
                     AND request.id = item.import_request_id
                     AND request.kind = 'transactions'
                   LIMIT 1) IS NOT NULL`,
  besides: {
    content_hash: 'computed from the body and the paths',
    key_time: 'says whether it was the first of its content; created_at otherwise',
    created_at_sent: 'says whether created_at was sent',
    document_locations: 'where the service expects the documents',
    documents_seen_at: 'what became of looking them up',
    unseen_document_paths: 'what became of looking them up',
  },
} as const satisfies ItemKind;
