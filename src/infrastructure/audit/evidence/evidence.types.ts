/** What is recorded when somebody sees the data of one account (choices C5, C6, V1). */
export type ViewAction = 'account.view' | 'account.rows' | 'document.view';

/** What is recorded when somebody downloads a list of a supplier (choices C9, C10, F5). */
export type DownloadAction = 'failures.download' | 'accounts.download' | 'documents.download';

/** A view that is to be recorded. */
export interface AccountView {
  /** Who: the name of an operator, or the API key of a supplier's admin. */
  readonly viewer: string;
  readonly action: ViewAction;
  /** Code of the supplier. */
  readonly importSupplier: string;
  readonly importSupplierId: number;
  readonly externalAccountNumber: string;
  /** Whether it began on another site, by a link (choice C1). */
  readonly isFromAnotherSite?: boolean | undefined;
}

/** Whose session begins or ends. */
export interface SignedInViewer {
  readonly viewer: string;
  readonly sessionId: string;
}

/** Which rows are listed; all of them by default. */
export interface EvidenceFilter {
  /** The first moment that counts. */
  readonly since?: Date | undefined;
  /** Code of a supplier. */
  readonly importSupplier?: string | undefined;
  readonly operator?: string | undefined;
}

/** Where a page of the list begins: after this row. */
export interface EvidenceCursor {
  readonly id: string;
  /** `at` as PostgreSQL writes it, because a Date has no microseconds. */
  readonly exact_at: string;
}

/** What somebody has seen of one account within an hour, or that somebody has signed in or out. */
export interface Evidence extends EvidenceCursor {
  /** Of the first time. */
  readonly at: Date;
  readonly last_at: Date;
  readonly count: number;
  /** How many of them began on another site. */
  readonly from_other_sites: number;
  /** Who. */
  readonly operator: string;
  readonly action: string;
  /** The number of the account; of a download and of reads of the feed the code of the supplier, of a sign-in the id of the session. */
  readonly subject: string;
  /** Null of a sign-in. */
  readonly import_supplier: string | null;
}
