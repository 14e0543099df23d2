import { Columns, itemColumns } from '../ingest/item-columns.js';
import { NOTE } from '../ingest/kinds/note.item.js';
import type { KeyedNote } from './notes.types.js';

/** What a note brings to the database. */
export const NOTE_COLUMNS = new Columns<KeyedNote>('item', {
  ...itemColumns(NOTE),
  key_time: { type: 'timestamptz', read: ({ keyTime }) => keyTime },
});
