/** Actions recorded when a user sees the data of one account (choices C5, C6, V1). */
export type ViewAction = 'account.view' | 'account.rows' | 'document.view';

/** Actions recorded when a user downloads a list of a supplier (choices C9, C10, F5). */
export type DownloadAction = 'failures.download' | 'accounts.download' | 'documents.download';

/** A view to be recorded. */
export interface AccountView {
  /** The name of an operator, or the API key of a supplier's admin. */
  readonly viewer: string;
  readonly action: ViewAction;
  /** Code of the supplier. */
  readonly importSupplier: string;
  readonly importSupplierId: number;
  readonly externalAccountNumber: string;
  /** Whether the request came from a link on another site (choice C1). */
  readonly isFromAnotherSite?: boolean | undefined;
}

/** The user whose session begins or ends. */
export interface SignedInViewer {
  readonly viewer: string;
  readonly sessionId: string;
}

/** Filters of the list; by default it contains all rows. */
export interface EvidenceFilter {
  /** The earliest time to include. */
  readonly since?: Date | undefined;
  /** Code of a supplier. */
  readonly importSupplier?: string | undefined;
  readonly operator?: string | undefined;
}

/** Cursor of the list: the last row of the previous page. */
export interface EvidenceCursor {
  readonly id: string;
  /** `at` as PostgreSQL writes it, because a Date has no microseconds. */
  readonly exact_at: string;
}

/** A user's views of one account within an hour, or a sign-in or sign-out. */
export interface Evidence extends EvidenceCursor {
  /** Time of the first view. */
  readonly at: Date;
  readonly last_at: Date;
  readonly count: number;
  /** How many of the views came from another site. */
  readonly from_other_sites: number;
  /** The user who acted. */
  readonly operator: string;
  readonly action: string;
  /** The account number; for a download or feed reads the supplier's code; for a sign-in the id of the session. */
  readonly subject: string;
  /** Null for a sign-in. */
  readonly import_supplier: string | null;
}
