import type { ListCursor, ListPage } from '../common/cursor.js';
import type { TimelineEvent } from '../layout/timeline.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';

/** What can be chosen; runs and changes together when nothing is. */
export const CHOICES = ['runs', 'changes', 'views'] as const;
export type Choice = (typeof CHOICES)[number];

/** A recorded change, or the start of a run with its end. */
export interface RecordedActivity extends ListCursor {
  readonly at: Date;
  readonly operator: string;
  readonly action: string;
  readonly subject: string;
  /** Of a run at one account. */
  readonly externalAccountNumber: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** Null of a change, and of a run whose end is not recorded. */
  readonly endedAt: Date | null;
  readonly end: Readonly<Record<string, unknown>> | null;
}

/** What somebody has seen of an account or a supplier within an hour. */
export interface RecordedView extends ListCursor {
  readonly at: Date;
  readonly lastAt: Date;
  readonly count: number;
  readonly fromOtherSites: number;
  readonly viewer: string;
  readonly action: string;
  /** Null of a view of all accounts. */
  readonly externalAccountNumber: string | null;
}

/** What the page of the activity of a supplier shows. */
export interface ShownActivity extends SupplierRequest {
  readonly choice: Choice | undefined;
  /** Newest first. */
  readonly events: ListPage<TimelineEvent>;
}
