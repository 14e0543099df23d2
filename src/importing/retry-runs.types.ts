import type { Run } from '../runs/runs.types.js';

/** A retry of failed accounts that runs in the background, or has ended. */
export interface RetryRun extends Pick<Run, 'startedAt' | 'outcome'> {
  /** Accounts that are pending again so far. */
  readonly pending: number;
}
