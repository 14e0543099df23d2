import type { Tx } from '../../database/unit-of-work.js';

/** How a run ended: at the end of its work, by a signal, or by an error. */
export type RunOutcome = 'complete' | 'interrupted' | 'failed';

/** What a run does: it puts failed accounts back to pending, or looks documents up. */
export type RunKind = 'retry' | 'documents';

/** Which run: the last one of its kind for a supplier, by the names of the columns. */
export interface RunName {
  /** Code of the supplier. */
  readonly import_supplier: string;
  readonly kind: RunKind;
}

/** A run in the background, or one that has ended. */
export interface Run {
  readonly startedAt: Date;
  /** Accounts or documents that are done so far. */
  readonly done: number;
  /** Of how many; null where that is not known. */
  readonly expected: number | null;
  /** Null while it runs; `lost` when its process has ended without a word. */
  readonly outcome: RunOutcome | 'lost' | null;
}

/** What a run is told, and says. */
export interface RunningRun {
  /** When it fires, the run ends as soon as what it has done is worth something. */
  readonly interrupted: AbortSignal;
  /** Say how much there is to do. */
  readonly expect: (count: number) => Promise<void>;
  /** Say how much more is done. @param tx the transaction that does it, or a query of its own */
  readonly advance: (tx: Tx, count: number) => Promise<void>;
}
