import type { RetryPreview } from '../../../accounts/importing/retry.types.js';
import type { Run } from '../../../infrastructure/jobs/runs/runs.types.js';
import type { CountedCause } from '../../../capabilities/request-log/requests/counted-causes.js';
import type {
  OthersRefusals,
  RefusalExamples,
  RefusalFacts,
  RefusedAccount,
  RefusedAccountStates,
} from '../../../capabilities/request-log/requests/refusals.types.js';
import type { ListPage } from '../common/cursor.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';

/** Refused requests, and accounts whose import failed. */
export const SOURCES = ['refusals', 'imports'] as const;
export type Source = (typeof SOURCES)[number];

/** The periods that the pages can be limited to, their names on a page, and the steps of their trends. */
export const PERIODS = {
  hour: { words: 'last hour', steps: 12, stepMinutes: 5, stepWords: '5 minutes' },
  day: { words: 'last day', steps: 24, stepMinutes: 60, stepWords: 'hour' },
  '30-days': { words: 'last 30 days', steps: 30, stepMinutes: 1_440, stepWords: 'day' },
} as const;
export type Period = keyof typeof PERIODS;

/** A cause that several failures of a supplier share. For failed imports it is the message without its days. */
export interface Cause extends CountedCause {
  readonly source: Source;
  /** How the requests were refused; null for failed imports. */
  readonly refusal: RefusalFacts | null;
}

/** The view model of the page of a supplier's failures. */
export interface Failures extends SupplierRequest {
  readonly period: Period;
  /** The causes of both sources, the most frequent first. */
  readonly causes: readonly Cause[];
  readonly causeCount: number;
  /** Failures of all causes. */
  readonly counts: Readonly<Record<Source, number>>;
  /** Refused requests of other organisations. */
  readonly others: readonly OthersRefusals[];
  /** The retry of a cause that is running or ended within the last hour; undefined for an admin. */
  readonly run: Run | undefined;
}

/** A cause that failures of several suppliers share. */
export interface SharedCause {
  /** The cause, with the counts of one of the suppliers. */
  readonly cause: Cause;
  /** The failures of all suppliers. */
  readonly count: number;
  readonly lastAt: Date | null;
  /** The suppliers and their counts, the highest count first. */
  readonly suppliers: readonly { readonly code: string; readonly count: number }[];
}

/** The most accounts of a cause whose states are counted. */
export const STATES_MAX = 1_000;

/** The view model of the page of a cause. */
export interface ShownCause extends SupplierRequest {
  readonly period: Period;
  readonly cause: Cause;
  /** Some accounts whose import failed; empty for refused requests. */
  readonly failed: readonly { readonly externalAccountNumber: string; readonly failure: string | null }[];
  /** Only for refused requests. */
  readonly refused?: {
    readonly examples: RefusalExamples;
    readonly accounts: ListPage<RefusedAccount>;
    /** Only when the accounts are not imported. */
    readonly states: RefusedAccountStates | undefined;
  };
}

/** The most accounts that are looked at one by one for the question before a retry. */
export const PREVIEWED_MAX = 10_000;

/** The question for an operator before the accounts of a cause are retried. */
export interface RetryQuestion extends Pick<SupplierRequest, 'supplier'> {
  readonly cause: string;
  /** How many would be pending again. */
  readonly accounts: number;
  /** A preview of the first of these accounts. */
  readonly preview: RetryPreview;
}
