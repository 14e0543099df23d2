import type { Tx } from '../../infrastructure/database/unit-of-work.js';

/** Which failed accounts of a supplier to retry. */
export type FailedAccounts =
  | { readonly numbers: readonly string[] }
  /** All accounts whose failure has this cause (failure-cause.ts). */
  | { readonly cause: string }
  | 'all';

export interface RetryOptions {
  /** The operator's name in the audit log. */
  readonly operator: string;
  /** Stops after the batch that is being written. */
  readonly interrupted?: AbortSignal;
  /** Called in the transaction of each batch with the number of accounts set to pending. */
  readonly onBatch?: (tx: Tx, count: number) => Promise<void>;
}

export interface RetryOutcome {
  /** The number of accounts that are pending again. */
  readonly pending: number;
  /** The requested numbers that are not failed accounts and so were not changed. */
  readonly notFailed: readonly string[];
}

/** Preview of a retry, for the accounts that were examined. */
export interface RetryPreview {
  /** Accounts that are failed. */
  readonly failed: number;
  /** The failed accounts that an import today would import as they were staged. The others would fail again. */
  readonly importable: number;
}
