import { Columns, itemColumns } from '../imports/item-columns.js';
import { NOTE } from '../items/note.item.js';
import type { KeyedNote } from './notes.types.js';

/** What a note brings to the database. */
export const NOTE_COLUMNS = new Columns<KeyedNote>('item', {
  ...itemColumns(NOTE),
  key_time: { type: 'timestamptz', read: ({ keyTime }) => keyTime },
});
