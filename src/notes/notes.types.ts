import type { WithSent } from '../ingest/item-columns.js';
import type { NOTE } from '../ingest/kinds/note.item.js';
import type { DocumentRequest, DocumentRow } from '../ingest/document-check.js';

/** A note to be attached. */
export interface NewNote extends WithSent<typeof NOTE> {
  /** Up to 50,000 characters; empty for a note that only has documents. */
  readonly body: string;
  /** Relative to the supplier's document root. */
  readonly documentPaths: readonly string[];
}

/** A note with what tells it apart on its account beside its content. */
export interface KeyedNote extends NewNote {
  /** {@link keyed} */
  readonly keyTime: string;
}

/** What became of a note of the payload. */
export interface NoteOutcome {
  readonly body: string;
  /** Of the note that is on the account now: the new one, or the one that was there. */
  readonly createdAt: Date;
  readonly isNew: boolean;
}

/** Notes to be attached to one account, without those that repeat an earlier one of the payload. */
export interface NotesRequest extends DocumentRequest<KeyedNote> {
  /** The date-time of notes that are sent without one, in whole seconds. */
  readonly now: Date;
}

/** What the query answers of a request; its lists have an element for each note of the request, in their order. */
export interface NotesRow extends DocumentRow {
  /** While the documents must be looked up: whether the account lacks the note. */
  readonly is_new: readonly boolean[];
  /** Milliseconds since 1970 of the note that is on the account now. */
  readonly created_at_ms: readonly number[];
  /** Rows that were stored. */
  readonly stored: number;
}
