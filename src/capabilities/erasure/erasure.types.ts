import type { ItemCounts } from '../../infrastructure/item-names/item-names.js';

/** How many rows of each kind were removed. */
export interface ErasedCounts extends ItemCounts {
  readonly import_requests: number;
  /** Recorded refusals of import requests. */
  readonly refusals: number;
}

/** Counts of what an erasure under way has removed so far, in all its runs. */
export interface ErasureState {
  readonly accounts: number;
  readonly rows: ErasedCounts;
}

/** An erasure and the run that carries it out, named as the query parameters are. */
export interface ErasureRun {
  readonly import_supplier_id: number;
  readonly erasure_id: string;
  readonly run_id: string;
}

/** The target of an erasure, and its reason. */
export interface ErasureOrder {
  readonly importSupplier: string;
  /** Null for all accounts of the supplier. */
  readonly externalAccountNumber: string | null;
  /** Recorded permanently, so it must not name a customer. */
  readonly reason: string;
  /** The name that is recorded in the audit. */
  readonly operator: string;
  /** Stops the erasure after the current batch. */
  readonly interrupted: AbortSignal;
  /** Called once when the erasure has to wait long for other transactions. */
  readonly onLongWait: () => void;
}

/** An erasure that is carried out by reading {@link documents}. */
export interface Erasure {
  /** Counts of what it has removed so far, in all its runs. */
  readonly state: ErasureState;
  readonly isComplete: boolean;
  /**
   * The locations of the documents that the erased rows named. Reading them drives the erasure. The rows of a location are
   * removed only after the next location was requested, so no location is lost when the command is killed.
   */
  readonly documents: AsyncIterable<string>;
}
