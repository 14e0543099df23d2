import type { MissingRows } from './missing.js';
import type { AccountState } from '../../../accounts/status/account-state.js';
import type { FieldType, ItemField, ItemKind } from '../../../ingest/kinds/item-kind.js';
import type { NOTE } from '../../../ingest/kinds/note.item.js';
import type { PAYMENT_INSTRUCTION } from '../../../ingest/kinds/payment-instruction.item.js';
import type { STATEMENT } from '../../../ingest/kinds/statement.item.js';
import type { TRANSACTION } from '../../../ingest/kinds/transaction.item.js';
import type { FoundTotals } from '../../../accounts/counts/account-counts.types.js';
import type { ComparedAccount } from '../differences/differences.types.js';
import type { TimelineEvent } from '../layout/timeline.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import type { AccountQuery } from './account-query.js';
import type { ListPage } from '../common/cursor.js';
import type { WithCursor } from './item-list.js';

/** Everywhere below, days are `YYYY-MM-DD` and decimals are strings, so that nothing is lost on the way to the page. */

/** An account. While it is being erased only the state and the start of the erasure are known. */
export interface AccountSummary {
  readonly state: AccountState | 'being_erased';
  readonly erasureStartedAt?: Date;
  readonly serviceAccountNumber?: string | null;
  readonly stagedAt?: Date;
  readonly accountCreatedAt?: Date | null;
  readonly openStatementFrom?: string | null;
  readonly openStatementTo?: string | null;
  readonly failure?: string | null;
  readonly failedAt?: Date | null;
}

/** The totals of what an account's import requests stored, added up from their records. */
export interface LoadedSums {
  readonly requests: number;
  readonly stored: FoundTotals;
  /** Notes that the service itself pinned. */
  readonly pinnedNotes: number;
}

/** The types in which fields are read for a page. A list of objects is read as its length. */
interface ShownTypes {
  readonly text: string;
  readonly date: string;
  readonly numeric: string;
  readonly boolean: boolean;
  readonly timestamptz: Date;
  readonly json: number;
  readonly paths: readonly string[];
}

type Shown<Field extends ItemField> =
  | ShownTypes[Field['type'] & FieldType]
  | (Field extends { type: Exclude<FieldType, 'json'>; nullable: true } ? null : never);

/** An item as its page shows it, by field name. */
type ShownItem<Kind extends ItemKind> = {
  readonly [Name in keyof Kind['fields']]: Shown<Kind['fields'][Name]>;
};

/** Two columns say which of its first documents were found (choice F3). */
export interface ViewedNote extends ShownItem<typeof NOTE> {
  readonly unseen_document_paths: readonly string[] | null;
  readonly documents_seen_at: Date | null;
  readonly document_count: number;
  /** Whether a list shows only the beginning of its body. */
  readonly isLong: boolean;
}

export interface ViewedTransaction extends ShownItem<typeof TRANSACTION> {
  /** Distinguishes transactions that were added without a duplicate check (choice X6); `0` for all others. */
  readonly occurrence: string;
  /** Whether a list shows only the beginning of one of its texts. */
  readonly isLong: boolean;
  /** The day that was sent, if the transaction was moved into the open statement period. */
  readonly sent_date: string | null;
}

export interface ViewedStatement extends ShownItem<typeof STATEMENT> {
  readonly document_seen_at: Date | null;
}

export interface ViewedInstruction extends ShownItem<typeof PAYMENT_INSTRUCTION> {
  /** Details from the vendor's answer, by name. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly verified_at: Date;
}

type LineMember = Exclude<(typeof TRANSACTION.fields.line_items.members)[number], 'units'>;
type OptionalMember = 'rate_band' | 'price_per_unit';

export type LineItem = Readonly<Record<Exclude<LineMember, OptionalMember>, string>> &
  Readonly<Partial<Record<OptionalMember, string>>> & { readonly units?: readonly string[] };

export type TaxItem = Readonly<Record<(typeof TRANSACTION.fields.tax_items.members)[number], string>>;

/** A transaction with its line and tax items. */
export interface ItemizedTransaction extends ViewedTransaction {
  readonly lineItems: readonly LineItem[];
  readonly taxItems: readonly TaxItem[];
}

/** The transactions of a type on the account, or of all types together. */
export interface TypeTotal {
  readonly type: string | null;
  readonly count: number;
  readonly amount: string;
}

export interface AccountContents {
  readonly pinnedNotes: ListPage<WithCursor<ViewedNote>>;
  readonly typeTotals: readonly TypeTotal[];
  readonly transactions: ListPage<ViewedTransaction>;
  readonly statements: ListPage<ViewedStatement>;
  readonly instructions: ListPage<ViewedInstruction>;
  readonly otherNotes: ListPage<WithCursor<ViewedNote>>;
}

export interface AccountPageView extends AccountName {
  readonly summary: AccountSummary;
  readonly sums: LoadedSums;
  /** The time of the newest request in the history. */
  readonly lastRequestAt: Date | undefined;
  /** The control totals beside what the account holds; undefined when it has none. */
  readonly control: ComparedAccount | undefined;
  /** The kinds of which an imported account lacks rows. */
  readonly missing: readonly MissingRows[];
  /** Undefined while the account is being erased. */
  readonly contents: AccountContents | undefined;
  readonly history: ListPage<TimelineEvent>;
  readonly query: AccountQuery;
}

/** The account of a page. */
export interface AccountName {
  readonly supplier: ViewedSupplier;
  readonly accountNumber: string;
}

/** The view model of the page of one item. */
export interface ItemPageView<Item> extends AccountName {
  readonly item: Item;
}
