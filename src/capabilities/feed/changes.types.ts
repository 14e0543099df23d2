import type { ChangeType } from '../../infrastructure/change-log/change-types.js';

/** How far the feed of a supplier is. */
export interface FeedHead {
  /** The number of the newest change; 0 before the first. */
  readonly lastSequence: number;
  readonly epoch: string;
}

/** A row of a batch; without a change there is one whose sequence is null. */
export interface ChangeRow extends FeedHead {
  readonly sequence: number | null;
  readonly type: ChangeType;
  /** Null of what was erased. */
  readonly at: Date | null;
  readonly is_removed: boolean;
  /** Number of the change that undid it. */
  readonly removed_by: number | null;
  readonly external_account_number: string | null;
  readonly service_account_number: string | null;
  readonly import_request_id: string | null;
  readonly request_id: string | null;
  readonly status: string | null;
  readonly open_statement_from: string | null;
  readonly open_statement_to: string | null;
  /** JSON text. */
  readonly account: string | null;
  /** JSON texts, separated by commas. */
  readonly items: string | null;
  /** JSON text. */
  readonly pinned_note: string | null;
}

/** Changes that follow each other, as JSON texts. */
export interface Batch extends FeedHead {
  readonly changes: readonly string[];
  /** The number of the last one, or the number after which there was none. */
  readonly sequence: number;
}

/** Where a reader is: everything up to the number is done. */
export interface Cursor {
  readonly epoch: string;
  readonly sequence: number;
}
