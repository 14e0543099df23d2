import type { RunOutcome } from '../audit/audit.types.js';

/** A retry of failed accounts that runs in the background, or has ended. */
export interface RetryRun {
  readonly startedAt: Date;
  /** Accounts that are pending again so far. */
  readonly pending: number;
  /** Null while it runs; `lost` when its process has ended without a word. */
  readonly outcome: RunOutcome | 'lost' | null;
}
