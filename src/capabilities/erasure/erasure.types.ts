import type { ItemCounts } from '../../infrastructure/item-names/item-names.js';

/** How many rows of each kind were removed. */
export interface ErasedCounts extends ItemCounts {
  readonly import_requests: number;
  /** Recorded refusals of import requests. */
  readonly refusals: number;
}

/** An erasure under way, and what it has removed in all its runs. */
export interface ErasureState {
  readonly accounts: number;
  readonly rows: ErasedCounts;
}

/** An erasure and the run that carries it out, by the names of the parameters. */
export interface ErasureRun {
  readonly import_supplier_id: number;
  readonly erasure_id: string;
  readonly run_id: string;
}

/** What is to be erased, and why. */
export interface ErasureOrder {
  readonly importSupplier: string;
  /** Null for all accounts of the supplier. */
  readonly externalAccountNumber: string | null;
  /** Recorded for good, so it names no customer. */
  readonly reason: string;
  /** The name that is recorded. */
  readonly operator: string;
  /** Stops after the running batch. */
  readonly interrupted: AbortSignal;
  /** Called once when other transactions keep the erasure waiting for long. */
  readonly onLongWait: () => void;
}

/** An erasure that is being carried out by reading {@link documents}. */
export interface Erasure {
  /** What it has removed so far, in all its runs. */
  readonly state: ErasureState;
  readonly isComplete: boolean;
  /**
   * The locations of the documents that the erased rows named; the erasure advances as they are read. The rows of a location
   * are removed only after the next one was asked for, so that none is lost when the command is killed.
   */
  readonly documents: AsyncIterable<string>;
}
