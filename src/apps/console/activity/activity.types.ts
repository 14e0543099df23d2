import type { ListCursor, ListPage } from '../common/cursor.js';
import type { TimelineEvent } from '../layout/timeline.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';

/** The kinds of events to choose from; runs and changes together by default. */
export const CHOICES = ['runs', 'changes', 'views'] as const;
export type Choice = (typeof CHOICES)[number];

/** A recorded change, or the start of a run with its end. */
export interface RecordedActivity extends ListCursor {
  readonly at: Date;
  readonly operator: string;
  readonly action: string;
  readonly subject: string;
  /** The account of a run for a single account. */
  readonly externalAccountNumber: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** Null for a change, and for a run whose end is not recorded. */
  readonly endedAt: Date | null;
  readonly end: Readonly<Record<string, unknown>> | null;
}

/** A user's views of an account or a supplier within an hour. */
export interface RecordedView extends ListCursor {
  readonly at: Date;
  readonly lastAt: Date;
  readonly count: number;
  readonly fromOtherSites: number;
  readonly viewer: string;
  readonly action: string;
  /** Null for a view of all accounts. */
  readonly externalAccountNumber: string | null;
}

/** The view model of the page of a supplier's activity. */
export interface ShownActivity extends SupplierRequest {
  readonly choice: Choice | undefined;
  /** Newest first. */
  readonly events: ListPage<TimelineEvent>;
}
