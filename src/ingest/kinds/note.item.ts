import { ITEM_KINDS } from '../../infrastructure/item-names/item-names.js';
import type { ItemKind } from './item-kind.js';

/** A note (specification 2.3). Two notes with the same body, or the same paths without a body, are the same (choices N1, N4). */
export const NOTE = {
  ...ITEM_KINDS.notes,
  requestWords: 'notes',
  section: 'notes',
  label: 'Notes',
  fields: {
    body: { type: 'text', defaultValue: '' },
    document_paths: { type: 'paths', defaultValue: [], comparedUnlessSent: 'body', words: 'list of paths' },
    created_at: { type: 'timestamptz', comparedIfSent: true },
    is_pinned: { type: 'boolean', defaultValue: false },
    unpin_at: { type: 'timestamptz', nullable: true },
  },
  same: ['body', 'document_paths', 'created_at'],
  // The key that readers see has created_at in place of the primary key's key_time: an undo may change the key_time of a note, and a reader
  // must still recognise the note.
  key: ['content_hash', 'created_at'],
  primaryKey: ['content_hash', 'key_time'],
  hash: { column: 'content_hash', function: 'note_content_hash' },
  documents: 'note',
  alteredFields: ['created_at'],
  feedFields: { document_paths: 'paths' },
  excludedColumns: {
    // Computed from the body and the paths.
    content_hash: { type: 'bytea' },
    // -infinity for the first note with its content; the date-time that was sent for each later note.
    key_time: { type: 'timestamptz' },
    // Whether created_at was sent; if not, created_at is the time of storing.
    created_at_sent: { type: 'boolean' },
    // Bucket, document root and path at the time of storing, in the order of the paths (choice F1).
    document_locations: { type: 'text', array: true },
    // The time by which all of the documents had been found in the store (choice F3).
    documents_seen_at: { type: 'timestamptz', nullable: true },
    // The paths of the documents that were not found in the store, if some others were (choice F3).
    unseen_document_paths: { type: 'text', array: true, nullable: true },
  },
} as const satisfies ItemKind;
