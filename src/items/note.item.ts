import type { ItemKind } from './item-kind.js';

/** A note (specification 2.3). Two with the same body, or the same paths without a body, are the same (choices N1, N4). */
export const NOTE = {
  request: 'notes',
  requestWords: 'notes',
  section: 'notes',
  table: 'note',
  label: 'Notes',
  fields: {
    body: { type: 'text', absent: '', sent: `nullif(item.body, '')` },
    document_paths: { type: 'paths', sent: `nullif(item.document_paths, '{}')` },
    created_at: { type: 'timestamptz', sent: 'CASE WHEN item.created_at_sent THEN item.created_at END' },
    is_pinned: { type: 'boolean', absent: false, sent: 'nullif(item.is_pinned, false)' },
    unpin_at: { type: 'timestamptz' },
  },
  besides: {
    content_hash: 'computed from the body and the paths',
    created_at_sent: 'says whether created_at was sent',
    document_locations: 'where the service expects the documents',
    documents_seen_at: 'what became of looking them up',
    unseen_document_paths: 'what became of looking them up',
  },
} as const satisfies ItemKind;
