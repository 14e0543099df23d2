import { Columns, itemColumns } from '../imports/item-columns.js';
import { NOTE } from '../items/note.item.js';
import type { NewNote } from './notes.types.js';

/** What a note brings to the database. */
export const NOTE_COLUMNS = new Columns<NewNote>('item', itemColumns(NOTE));
