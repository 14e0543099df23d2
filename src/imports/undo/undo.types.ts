import type { RequestFilter } from './import-requests.types.js';
import type { ItemCounts } from '../../items/items.js';

/** What is to be undone, and why. */
export interface UndoOrder {
  readonly importSupplier: string;
  readonly filter: RequestFilter;
  /** Recorded for good, so it names no customer. */
  readonly reason: string;
  /** The name that is recorded. */
  readonly operator: string;
  /** Stops after the running batch. */
  readonly interrupted: AbortSignal;
  /** Called after each batch with the number of rows that were removed. */
  readonly onProgress: (rows: number) => void;
}

/** What was undone. */
export interface UndoOutcome {
  readonly requests: number;
  /** With the notes that were pinned. */
  readonly rows: ItemCounts;
}
