import type { Tx } from '../../infrastructure/database/unit-of-work.js';

/** Which failed accounts of a supplier are put back. */
export type FailedAccounts =
  | { readonly numbers: readonly string[] }
  /** All whose failure has this cause (failure-cause.ts). */
  | { readonly cause: string }
  | 'all';

export interface RetryOptions {
  /** The name that is recorded. */
  readonly operator: string;
  /** Stops after the batch that is being written. */
  readonly interrupted?: AbortSignal;
  /** Called in the transaction of each batch with the number of accounts that it puts back. */
  readonly onBatch?: (tx: Tx, count: number) => Promise<void>;
}

export interface RetryOutcome {
  /** How many accounts are pending again. */
  readonly pending: number;
  /** Of the numbers that were asked for those that were left as they are, because none is a failed account. */
  readonly notFailed: readonly string[];
}

/** What a retry would do, as far as it was looked at. */
export interface RetryPreview {
  /** Accounts that are failed. */
  readonly failed: number;
  /** Those of them that an import of today would import as they were staged; the others would fail again. */
  readonly importable: number;
}
