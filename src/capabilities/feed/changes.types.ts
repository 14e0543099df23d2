import type { ChangeType } from '../../infrastructure/change-log/change-types.js';

/** The newest change of a supplier's feed, and its epoch. */
export interface FeedHead {
  /** The number of the newest change; 0 before the first. */
  readonly lastSequence: number;
  readonly epoch: string;
}

/** A row of a batch. Without a change there is one row, whose sequence is null. */
export interface ChangeRow extends FeedHead {
  readonly sequence: number | null;
  readonly type: ChangeType;
  /** Null for an erased change. */
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

/** Consecutive changes, as JSON texts. */
export interface Batch extends FeedHead {
  readonly changes: readonly string[];
  /** The number of the last change, or the number after which there was none. */
  readonly sequence: number;
}

/** The position of a reader: everything up to the number is done. */
export interface Cursor {
  readonly epoch: string;
  readonly sequence: number;
}
