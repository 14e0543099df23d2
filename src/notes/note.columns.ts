import { Columns } from '../imports/item-columns.js';
import type { NewNote } from './notes.types.js';

/** What a note brings to the database. */
export const NOTE_COLUMNS = new Columns<NewNote>('item', {
  body: { type: 'text', read: ({ body }) => body },
  // One text a note, joined with line feeds, which a path cannot hold: unnest takes no list of lists.
  document_paths: {
    type: 'text',
    read: ({ documentPaths }) => (documentPaths.length > 0 ? documentPaths.join('\n') : null),
  },
  created_at: { type: 'timestamptz', read: ({ createdAt }) => createdAt?.toISOString() },
  is_pinned: { type: 'boolean', read: ({ isPinned }) => isPinned },
  unpin_at: { type: 'timestamptz', read: ({ unpinAt }) => unpinAt?.toISOString() },
});
