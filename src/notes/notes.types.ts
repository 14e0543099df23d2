import type { WithSent } from '../ingest/item-columns.js';
import type { NOTE } from '../ingest/kinds/note.item.js';
import type { DocumentRequest, DocumentRow } from '../ingest/document-check.js';

/** A note to attach. */
export interface NewNote extends WithSent<typeof NOTE> {
  /** Up to 50,000 characters; empty for a note that only has documents. */
  readonly body: string;
  /** Relative to the supplier's document root. */
  readonly documentPaths: readonly string[];
}

/** A note with the time that, besides its content, identifies it on its account. */
export interface KeyedNote extends NewNote {
  /** {@link keyed} */
  readonly keyTime: string;
}

/** The outcome for a note of the payload. */
export interface NoteOutcome {
  readonly body: string;
  /** The date-time of the note that the account now has, whether new or existing. */
  readonly createdAt: Date;
  readonly isNew: boolean;
}

/** Notes to attach to one account, without those that repeat an earlier note of the payload. */
export interface NotesRequest extends DocumentRequest<KeyedNote> {
  /** The date-time of notes that are sent without one, in whole seconds. */
  readonly now: Date;
}

/** The query's row for a request. Its lists have one element for each note of the request, in order. */
export interface NotesRow extends DocumentRow {
  /** Whether the account did not have the note; also set when nothing is stored because documents must be looked up first. */
  readonly is_new: readonly boolean[];
  /** The date-time of the note that the account now has, in milliseconds since 1970. */
  readonly created_at_ms: readonly number[];
  /** Number of stored rows. */
  readonly stored: number;
}
