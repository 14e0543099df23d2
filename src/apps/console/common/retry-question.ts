import type { RetryPreview } from '../../../accounts/importing/retry.types.js';

/** Accounts that are looked at one by one for a page. */
export const LOOKED_AT_MAX = 10_000;

/** What an operator is asked before failed accounts are retried. */
export interface RetryQuestion {
  readonly supplier: { readonly code: string; readonly name: string };
  /** How many would be pending again. */
  readonly accounts: number;
  /** Of the first ones of them. */
  readonly preview: RetryPreview;
  /** What all of them failed for; undefined of accounts that were chosen. */
  readonly cause?: string;
}
