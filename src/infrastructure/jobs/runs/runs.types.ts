import type { Tx } from '../../database/unit-of-work.js';

/** How a run ended: it finished its work, was interrupted, or failed. */
export type RunOutcome = 'complete' | 'interrupted' | 'failed';

/** Kinds of runs: `retry` sets failed accounts to pending, `documents` looks up documents. */
export type RunKind = 'retry' | 'documents';

/** The name of a run, by the names of its columns. Only the last run of each name is kept. */
export interface RunName {
  /** Code of the supplier. */
  readonly import_supplier: string;
  readonly kind: RunKind;
}

/** A background run that is under way or has ended. */
export interface Run {
  readonly startedAt: Date;
  /** The number of accounts or documents that are done so far. */
  readonly done: number;
  /** The total number; null if it is not known. */
  readonly expected: number | null;
  /** Null while the run is under way; `lost` if its process ended without recording an outcome. */
  readonly outcome: RunOutcome | 'lost' | null;
}

/** The interface between a run and its work. */
export interface RunningRun {
  /** When it fires, the work stops as soon as it has reached a useful state. */
  readonly interrupted: AbortSignal;
  /** Report the total amount of work. */
  readonly expect: (count: number) => Promise<void>;
  /** Report progress. @param tx the transaction that does the work, or a query of its own */
  readonly advance: (tx: Tx, count: number) => Promise<void>;
}
