import { formatDateTime } from '../common/dates.js';

/** The parts of an account's contents, in the order in which its digest names them (choice V4). */
export const SECTIONS = ['notes', 'transactions', 'historical_statements', 'payment_instructions'] as const;
export type Section = (typeof SECTIONS)[number];

/** A note as it is stored; a member that was not sent is null. */
export interface StoredNote {
  readonly body: string;
  readonly document_paths: readonly string[];
  /** Seconds since 1970; null where the date-time is that of the import. */
  readonly created_at: number | null;
  readonly is_pinned: boolean;
  /** Seconds since 1970. */
  readonly unpin_at: number | null;
}

/** A line of a supply charge as it is stored. */
interface StoredLineItem {
  readonly rate_band?: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly number_of_units: number;
  readonly net_amount: number;
  readonly price_per_unit?: number;
  readonly units?: readonly number[];
}

/** A tax of a supply charge as it is stored. */
interface StoredTaxItem {
  readonly amount: number;
  readonly tax_type: string;
  readonly value_taxed: number;
  readonly rate: number;
  readonly unit_type: string;
}

/** A transaction with the day and the note that were sent; a member that was not sent is null. */
export interface StoredTransaction {
  readonly transaction_id: string;
  readonly transaction_date: string;
  readonly amount: number;
  readonly type: string;
  readonly reason: string | null;
  readonly reference: string | null;
  readonly payment_type: string | null;
  readonly display_note: string | null;
  readonly note: string | null;
  readonly product_code: string | null;
  readonly line_items: readonly StoredLineItem[] | null;
  readonly tax_items: readonly StoredTaxItem[] | null;
}

/** A historical statement as it is stored; a member that was not sent is null. */
export interface StoredStatement {
  readonly statement_id: string;
  readonly bill_period_from_date: string;
  readonly bill_period_to_date: string;
  readonly issued_date: string | null;
  readonly number: string | null;
  readonly gross_amount: number | null;
  readonly statement_path: string | null;
}

/** A payment instruction as it is stored. */
export interface StoredInstruction {
  readonly vendor: string;
  readonly reference: string;
  readonly type: string;
}

/** A row of an account, with its section. */
export type StoredRow =
  | { readonly section: 'notes'; readonly content: StoredNote }
  | { readonly section: 'transactions'; readonly content: StoredTransaction }
  | { readonly section: 'historical_statements'; readonly content: StoredStatement }
  | { readonly section: 'payment_instructions'; readonly content: StoredInstruction };

/**
 * The text of a row from which its digest is made: the item of the specification as it was sent, in the form of RFC 8785.
 *
 * Members are written in the order of their names, and JSON.stringify writes strings as RFC 8785 does, and numbers too,
 * because a number of more than 15 significant digits is never accepted (choice T13). Members that the specification does not
 * name cannot be stored (choice T8).
 *
 * Source: specification 2.3 to 2.6; choice V3.
 */
export function contentOf({ section, content: row }: StoredRow): string {
  switch (section) {
    case 'notes':
      return noteContent(row);
    case 'transactions':
      return transactionContent(row);
    case 'historical_statements':
      return statementContent(row);
    case 'payment_instructions':
      return JSON.stringify({ reference: row.reference, type: row.type, vendor: row.vendor });
  }
}

function noteContent({ body, document_paths, created_at, is_pinned, unpin_at }: StoredNote): string {
  return JSON.stringify({
    body: body === '' ? undefined : body,
    created_at: dateTime(created_at),
    document_paths:
      document_paths.length === 0 ? undefined : document_paths.map((path) => ({ document_path: path })),
    is_pinned: is_pinned ? true : undefined,
    unpin_at: dateTime(unpin_at),
  });
}

function transactionContent(row: StoredTransaction): string {
  return JSON.stringify({
    amount: row.amount,
    display_note: row.display_note ?? undefined,
    line_items: row.line_items?.map(lineItem),
    note: row.note ?? undefined,
    payment_type: row.payment_type ?? undefined,
    product_code: row.product_code ?? undefined,
    reason: row.reason ?? undefined,
    reference: row.reference ?? undefined,
    tax_items: row.tax_items?.map(taxItem),
    transaction_date: row.transaction_date,
    transaction_id: row.transaction_id,
    type: row.type,
  });
}

/** jsonb keeps the members of an object in an order of its own. */
function lineItem(item: StoredLineItem): StoredLineItem {
  return {
    end_date: item.end_date,
    net_amount: item.net_amount,
    number_of_units: item.number_of_units,
    price_per_unit: item.price_per_unit,
    rate_band: item.rate_band,
    start_date: item.start_date,
    units: item.units,
  };
}

function taxItem(item: StoredTaxItem): StoredTaxItem {
  return {
    amount: item.amount,
    rate: item.rate,
    tax_type: item.tax_type,
    unit_type: item.unit_type,
    value_taxed: item.value_taxed,
  };
}

function statementContent(row: StoredStatement): string {
  return JSON.stringify({
    bill_period_from_date: row.bill_period_from_date,
    bill_period_to_date: row.bill_period_to_date,
    gross_amount: row.gross_amount ?? undefined,
    issued_date: row.issued_date ?? undefined,
    number: row.number ?? undefined,
    statement_id: row.statement_id,
    statement_path: row.statement_path ?? undefined,
  });
}

function dateTime(seconds: number | null): string | undefined {
  return seconds === null ? undefined : formatDateTime(seconds * 1_000);
}
