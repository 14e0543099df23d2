import type { DocumentReferrer } from '../../../ingest/documents/document-referrers.js';
import type { DocumentCounts } from '../../../ingest/documents/document-counts.types.js';
import type { DocumentState } from '../progress/progress.types.js';

/** Documents are counted up to this number. */
export const COUNTED_MAX = 10_000;

/** A document that is missing in the store or was not looked up yet. */
export interface ListedDocument {
  readonly state: DocumentState;
  readonly kind: DocumentReferrer['kind'];
  readonly externalAccountNumber: string;
  /** The path as sent. */
  readonly path: string;
  /** When a request referred to it. */
  readonly namedAt: Date;
  /** Whether it was referred to while another store was configured, which is no longer searched. */
  readonly isElsewhere: boolean;
  /** Its position among the documents of its kind. */
  readonly key: readonly string[];
}

/** Selects the documents in a state, as it was when they were counted. */
export interface DocumentFilter {
  readonly state: DocumentState;
  readonly counts: DocumentCounts;
}
