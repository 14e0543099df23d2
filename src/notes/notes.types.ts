import type { DocumentLoad, DoorAnswer } from '../imports/account-access.js';
import type { DocumentDemand } from '../imports/document-check.js';

/** A note to be attached. */
export interface NewNote {
  /** Up to 50,000 characters; empty for a note that only carries documents. */
  readonly body: string;
  /** Relative to the supplier's document root. */
  readonly documentPaths: readonly string[];
  /** Whole seconds; without one the note is of the present moment. */
  readonly createdAt: Date | undefined;
  readonly isPinned: boolean;
  readonly unpinAt: Date | undefined;
}

/** What became of one draft. */
export interface NoteOutcome {
  readonly body: string;
  /** Of the note that stands on the account now: the new one, or the one that was there. */
  readonly createdAt: Date;
  readonly isNew: boolean;
}

/** Notes to be attached to one account. */
export interface NotesLoad extends DocumentLoad {
  /** No two with the same content and the same moment sent, none without a moment behind one of the same content. */
  readonly drafts: readonly NewNote[];
  /** Moment of the notes that came without one. */
  readonly now: Date;
}

export interface AttachAnswer extends DoorAnswer, DocumentDemand {
  /** One for each draft; while its documents must be looked up, what is new would be. */
  readonly outcomes: readonly NoteOutcome[];
}
