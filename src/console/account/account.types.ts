import type { AccountState } from '../../accounts/account-state.js';
import type { ComparedAccount } from '../differences/differences.types.js';

/** Day `YYYY-MM-DD`, and decimals as text, everywhere below: nothing is lost on the way to the page. */

/** What an account is. */
export interface AccountSummary {
  readonly state: AccountState | 'being_erased';
  readonly serviceAccountNumber: string | null;
  readonly stagedAt: Date | null;
  readonly accountCreatedAt: Date | null;
  readonly openStatementFrom: string | null;
  readonly openStatementTo: string | null;
  readonly failure: string | null;
  readonly failedAt: Date | null;
  readonly erasureStartedAt: Date | null;
}

/** What the import requests of an account stored, by their records. */
export interface LoadedSums {
  readonly requests: number;
  readonly notes: number;
  readonly transactions: number;
  readonly statements: number;
  readonly paymentInstructions: number;
  /** Of the transactions; null when there are none. */
  readonly amount: string | null;
  readonly lastRequestAt: Date | null;
}

/** A document that a note or statement names. */
export interface NamedDocument {
  readonly path: string;
  /** Whether it was seen in the store. */
  readonly isSeen: boolean;
}

export interface ViewedNote {
  readonly createdAt: Date;
  readonly body: string;
  readonly documents: readonly NamedDocument[];
  readonly isPinned: boolean;
  readonly unpinAt: Date | null;
}

export interface ViewedTransaction {
  readonly id: string;
  /** Tells apart those that were added without looking (choice X6); `0` for all others. */
  readonly occurrence: string;
  readonly date: string;
  /** The day that was sent, of a transaction that was moved into the open statement period. */
  readonly sentDate: string | null;
  readonly amount: string;
  readonly type: string;
  readonly reason: string | null;
  readonly reference: string | null;
  readonly paymentType: string | null;
  readonly displayNote: string | null;
  readonly note: string | null;
  readonly productCode: string | null;
  readonly lineItems: number;
  readonly taxItems: number;
}

export interface LineItem {
  readonly rate_band: string | null;
  readonly start_date: string;
  readonly end_date: string;
  readonly number_of_units: string;
  readonly net_amount: string;
  readonly price_per_unit: string | null;
  readonly unit_count: number;
  /** The first of the readings. */
  readonly first_units: readonly string[];
}

export interface TaxItem {
  readonly tax_type: string;
  readonly amount: string;
  readonly value_taxed: string;
  readonly rate: string;
  readonly unit_type: string;
}

/** The transactions of a type on the account, or of all types together. */
export interface TypeTotal {
  readonly type: string | null;
  readonly count: number;
  readonly amount: string;
}

export interface ViewedStatement {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly issuedDate: string | null;
  readonly number: string | null;
  readonly grossAmount: string | null;
  readonly document: NamedDocument | null;
}

export interface ViewedInstruction {
  readonly vendor: string;
  readonly type: string;
  readonly reference: string;
  /** What the vendor answered, by name. */
  readonly details: readonly (readonly [name: string, value: string])[];
  readonly verifiedAt: Date;
}

/** An event of the account's history. */
export interface ViewedEvent {
  readonly at: Date;
  readonly title: string;
  readonly kind: 'stored' | 'refused' | 'other';
  /** Who caused it, if that is known and may be seen. */
  readonly by: string | null;
  /** Of an import request, when what it stored was removed again. */
  readonly undoneAt?: Date;
  readonly details: readonly (readonly [name: string, value: string])[];
}

/** A part of a list. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** Whether it is not the first part. */
  readonly isContinued: boolean;
  /** From where the list goes on, if it does. */
  readonly next: string | undefined;
}

/** Which transactions are listed; all of them without a filter. */
export interface TransactionFilter {
  readonly type: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly id: string | undefined;
}

/** The parameters of the page: from where each list goes on, and the filter. */
export interface AccountQuery {
  readonly pinned: string | undefined;
  readonly transactions: string | undefined;
  readonly statements: string | undefined;
  readonly instructions: string | undefined;
  readonly notes: string | undefined;
  readonly history: string | undefined;
  readonly filter: TransactionFilter;
  /** What of the filter is not understood, as sentences. */
  readonly mistakes: readonly string[];
}

export interface AccountContents {
  readonly pinnedNotes: ListPage<ViewedNote>;
  readonly typeTotals: readonly TypeTotal[];
  readonly transactions: ListPage<ViewedTransaction>;
  readonly statements: ListPage<ViewedStatement>;
  readonly instructions: ListPage<ViewedInstruction>;
  readonly otherNotes: ListPage<ViewedNote>;
}

export interface AccountPageView {
  readonly supplier: { readonly code: string; readonly name: string };
  readonly number: string;
  readonly summary: AccountSummary;
  readonly sums: LoadedSums;
  /** What it must hold, beside what it does; undefined when nothing is expected. */
  readonly control: ComparedAccount | undefined;
  /** Nothing while the account is being erased. */
  readonly contents: AccountContents | undefined;
  readonly history: ListPage<ViewedEvent>;
  readonly query: AccountQuery;
}

/** A transaction with its line and tax items. */
export interface TransactionPageView {
  readonly supplier: { readonly code: string; readonly name: string };
  readonly number: string;
  readonly transaction: ViewedTransaction;
  readonly lineItems: readonly LineItem[];
  readonly taxItems: readonly TaxItem[];
}
