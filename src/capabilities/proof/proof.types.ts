import type { Holding } from '../../infrastructure/limits/budget.js';
import type { StoredRow } from './content.js';
import type { SortedLines } from './sorted-lines.js';
import type { Section } from '../../ingest/kinds/items.js';

/** Lines that begin with the digests of rows, by section. A section without rows has no entry. */
export type RowLines = ReadonlyMap<Section, SortedLines>;

/** Which accounts to read; all of the supplier by default. */
export interface AccountRange {
  /** Only the account with this number. */
  readonly only?: string | undefined;
  /** The first account is the one after this number. */
  readonly after?: string | undefined;
  /** No account after this number. */
  readonly through?: string | undefined;
  /** The most accounts. */
  readonly countMax?: number | undefined;
  /** The organisation to which the supplier must be granted; without it no grant is needed. */
  readonly organisationId?: string | undefined;
  /** Called before anything is written to a temporary file; an error that it throws ends the reading. */
  readonly beforeFile?: () => void;
}

/** A row as PostgreSQL returns it, with its account. */
export type ContentRow = RowAccount & (StoredRow | { readonly section: null; readonly content: null });

/** The columns about the account that every row has. */
export interface RowAccount {
  /** False when the supplier is not granted to the organisation of the range. */
  readonly is_granted: boolean;
  /** Null when there is no account. */
  readonly external_account_number: string | null;
  readonly service_account_number: string | null;
}

/** The content of a section of an account. */
export interface SectionContent {
  readonly count: number;
  /** SHA-256 of the digests of its rows (choice V4), lower-case hexadecimal. */
  readonly digest: string;
}

/** The content of an account, from one snapshot. */
export interface AccountContent {
  readonly externalAccountNumber: string;
  readonly serviceAccountNumber: string;
  readonly sections: Readonly<Record<Section, SectionContent>>;
  /** Exact sums of the transactions in hundredths by type, ordered by type. Types without transactions are left out. */
  readonly amounts: ReadonlyMap<string, bigint>;
  /** SHA-256 of the digests of the sections (choice V4), lower-case hexadecimal. */
  readonly digest: string;
  /** Digests of its rows; valid until the next account is read, unless they are taken (`takeDigests`). */
  readonly rowDigests: Map<Section, SortedLines>;
}

/** Where a page of the list ends. */
export interface PageEnd {
  /** False when the supplier is not granted to the caller. */
  readonly is_granted: boolean;
  /** Number of the last account of the page; null when the page is empty. */
  readonly last_number: string | null;
  readonly has_more: boolean;
}

/** Which accounts to list. */
export interface ContentsWanted {
  readonly importSupplier: string;
  /** The most accounts; undefined for all. */
  readonly limit: number | undefined;
  /** The first account is the one after this number. */
  readonly after: string | undefined;
  /** Whether each account has the digests of its rows. */
  readonly hasRowDigests: boolean;
  readonly holding: Holding;
}

/** Options for the answer about one account, in addition to its counts and digests. */
export interface ContentWanted {
  readonly hasRows: boolean;
  readonly hasRowDigests: boolean;
  readonly holding: Holding;
}
