import type { Cell } from '../../common/csv.js';
import type { RetryRun } from '../../importing/retry-runs.types.js';
import type {
  OthersRefusals,
  RefusalFacts,
  RefusalFilter,
  RefusedValue,
} from '../../sent-requests/refusals.types.js';
import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';

/** Refused requests, and accounts whose import failed. */
export const SOURCES = ['refusals', 'imports'] as const;
export type Source = (typeof SOURCES)[number];

/** The periods that the pages can be limited to. */
export const PERIODS = ['hour', 'day', '30-days'] as const;
export type Period = (typeof PERIODS)[number];

/** What several failures of a supplier have in common. */
export interface Cause {
  /** Identifies it within its supplier and source; of failed imports the sentence without its days. */
  readonly cause: string;
  readonly count: number;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  /** How the requests were refused; null of failed imports. */
  readonly refusal: RefusalFacts | null;
  /** The commonest refused values; null unless the field has a closed set of values. */
  readonly values: readonly RefusedValue[] | null;
  /** The newest requests, or some of the accounts. */
  readonly samples: readonly Sample[];
}

interface Sample {
  /** Empty when a request named none. */
  readonly externalAccountNumber: string;
  /** Of a request. */
  readonly requestId?: string;
  /** Path of the undocumented field that was sent. */
  readonly unknownField?: string | null;
}

/** A cause as it is read, with what all causes of its source count. */
export type CauseRow = Cause & { readonly countOfAll: number; readonly causeCount: number };

/** The commonest causes, and how many there are in all. */
export interface Causes {
  readonly causes: readonly Cause[];
  /** Failures of all causes. */
  readonly count: number;
  readonly causeCount: number;
}

/** An account with failures of one cause. */
export interface FailedAccount {
  readonly externalAccountNumber: string;
  /** Refused requests; null of a failed import. */
  readonly count: number | null;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  /** Why its import failed; null of refused requests. */
  readonly failure: string | null;
}

/** Which failures, as parameters of the queries; the time is of refused requests only. */
export type FailureFilter = RefusalFilter;

/** Causes that a page shows at most, and failures of each of them. */
export const CAUSES_MAX = 100;
export const SAMPLES_MAX = 5;

/** A failure as it is downloaded, by the columns of the file; one that is missing is empty. */
export type FailureRecord = Readonly<Record<string, Cell>>;

/** Where failures are stored. */
export interface FailureSource<Row extends FailureRecord = FailureRecord> {
  /** Of the file that is downloaded. */
  readonly fileName: string;
  readonly columns: readonly string[];
  /** The commonest causes first. */
  listCauses(filter: FailureFilter): Promise<CauseRow[]>;
  /** The accounts of a cause in the order of their numbers. @param from the first number */
  listAccounts(filter: FailureFilter, from: string, countMax: number): Promise<FailedAccount[]>;
  /** The failures one by one. @param after the one after which they begin */
  listRecords(filter: FailureFilter, after: Row | undefined, countMax: number): Promise<Row[]>;
}

/** What the page of the failures of a supplier shows. */
export interface Failures extends Readonly<Record<Source, Causes>> {
  readonly supplier: ViewedSupplier;
  readonly period: Period;
  /** Refused requests of other organisations. */
  readonly others: readonly OthersRefusals[];
  /** Whether the viewer may set failed accounts back to pending. */
  readonly mayRetry: boolean;
  /** How many accounts were just set back. */
  readonly retried: number | undefined;
  /** The retry of a cause that is under way, or has ended within an hour; none for an admin. */
  readonly run: RetryRun | undefined;
  /** Whether a retry was just refused, because another one is under way. */
  readonly isBusy: boolean;
}

/** A page of the accounts with failures of one cause. */
export interface AccountsOfCause {
  readonly supplier: ViewedSupplier;
  readonly source: Source;
  readonly period: Period;
  readonly cause: Cause;
  readonly accounts: readonly FailedAccount[];
  /** Where the next page begins. */
  readonly next: string | undefined;
  readonly isFirst: boolean;
  readonly mayRetry: boolean;
}
