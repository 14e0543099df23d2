import type { RetryPreview } from '../../../accounts/importing/retry.types.js';

/** The most accounts that are looked at one by one for a page. */
export const PREVIEWED_MAX = 10_000;

/** The question for an operator before failed accounts are retried. */
export interface RetryQuestion {
  readonly supplier: { readonly code: string; readonly name: string };
  /** How many would be pending again. */
  readonly accounts: number;
  /** A preview of the first of these accounts. */
  readonly preview: RetryPreview;
  /** The cause for which all of them failed; undefined when the accounts were chosen one by one. */
  readonly cause?: string;
}

/** How many of the chosen accounts are pending again, or the question for the operator. */
export type RetryAnswer = { readonly retried: number } | { readonly question: RetryQuestion };
