import { Injectable } from '@nestjs/common';
import { query, run } from '../../database/query.js';
import type { Tx } from '../../database/unit-of-work.js';
import { keyValues, isOfAccount, type AccountKey } from './account.repository.js';
import type {
  LineItem,
  TaxItem,
  TransactionFilter,
  TypeTotal,
  ViewedInstruction,
  ViewedStatement,
  ViewedTransaction,
} from './account.types.js';

/** A row of a list, and its place in it: the values by which the list is ordered, as texts. */
export type Placed<Row> = Row & { readonly place: readonly string[] };

/*
 * The lists are sorted when they are read: an account has some thousands of rows, and indexes in the order of the pages would make
 * the imports slower. Columns that are computed are computed for the page alone.
 */

/** How many readings of a line item are shown. */
const UNITS_SHOWN = 48;

const TRANSACTION_COLUMNS = `
          t.transaction_id AS id, t.occurrence::text AS occurrence, t.transaction_date::text AS date,
          t.sent_date::text AS "sentDate", t.amount::text AS amount, t.type, t.reason, t.reference,
          t.payment_type AS "paymentType", t.display_note AS "displayNote", t.note, t.product_code AS "productCode",
          coalesce(jsonb_array_length(t.line_items), 0) AS "lineItems", coalesce(jsonb_array_length(t.tax_items), 0) AS "taxItems"`;

const TRANSACTIONS = query<Placed<ViewedTransaction>>(
  'console.account_transactions',
  `SELECT ${TRANSACTION_COLUMNS},
          ARRAY[t.transaction_date::text, t.transaction_id, t.occurrence::text] AS place
     FROM (SELECT t.*
             FROM transaction t
            WHERE ${isOfAccount('t')}
              AND (t.transaction_date, t.transaction_id, t.occurrence)
                  < (:before_1::date, :before_2::text COLLATE "C", :before_3::bigint)
              AND (:type::text IS NULL OR t.type = :type)
              AND (:from::date IS NULL OR t.transaction_date >= :from)
              AND (:to::date IS NULL OR t.transaction_date <= :to)
              AND (:transaction_id::text IS NULL OR t.transaction_id = :transaction_id)
            ORDER BY t.transaction_date DESC, t.transaction_id DESC, t.occurrence DESC
            LIMIT :count_max::integer) AS t
    ORDER BY t.transaction_date DESC, t.transaction_id DESC, t.occurrence DESC`,
);

const TYPE_TOTALS = query<TypeTotal>(
  'console.account_transaction_totals',
  `SELECT t.type, count(*)::float8 AS count, coalesce(sum(t.amount), 0)::text AS amount
     FROM transaction t
    WHERE ${isOfAccount('t')}
    GROUP BY GROUPING SETS ((t.type), ())
    ORDER BY t.type NULLS LAST`,
);

/** A transaction with its items, as far as it has any. */
export interface ItemizedTransaction extends ViewedTransaction {
  readonly line_items: readonly LineItem[] | null;
  readonly tax_items: readonly TaxItem[] | null;
}

const TRANSACTION = query<ItemizedTransaction>(
  'console.account_transaction',
  `SELECT ${TRANSACTION_COLUMNS},
          (SELECT json_agg(json_build_object(
                    'rate_band', item ->> 'rate_band', 'start_date', item ->> 'start_date', 'end_date', item ->> 'end_date',
                    'number_of_units', item ->> 'number_of_units', 'net_amount', item ->> 'net_amount',
                    'price_per_unit', item ->> 'price_per_unit',
                    'unit_count', coalesce(jsonb_array_length(item -> 'units'), 0),
                    'first_units', ARRAY(SELECT unit #>> '{}'
                                           FROM jsonb_array_elements(item -> 'units') AS unit LIMIT ${UNITS_SHOWN})))
             FROM jsonb_array_elements(t.line_items) AS item) AS line_items,
          (SELECT json_agg(json_build_object(
                    'tax_type', item ->> 'tax_type', 'amount', item ->> 'amount', 'value_taxed', item ->> 'value_taxed',
                    'rate', item ->> 'rate', 'unit_type', item ->> 'unit_type'))
             FROM jsonb_array_elements(t.tax_items) AS item) AS tax_items
     FROM transaction t
    WHERE ${isOfAccount('t')} AND t.transaction_id = :transaction_id AND t.occurrence = :occurrence::bigint`,
);

export interface StatementRow extends Omit<ViewedStatement, 'document'> {
  readonly path: string | null;
  readonly isSeen: boolean;
}

const STATEMENTS = query<Placed<StatementRow>>(
  'console.account_statements',
  `SELECT s.statement_id AS id, s.bill_period_from_date::text AS from, s.bill_period_to_date::text AS to,
          s.issued_date::text AS "issuedDate", s.number, s.gross_amount::text AS "grossAmount", s.statement_path AS path,
          s.document_seen_at IS NOT NULL AS "isSeen", ARRAY[s.bill_period_to_date::text, s.statement_id] AS place
     FROM statement s
    WHERE ${isOfAccount('s')}
      AND (s.bill_period_to_date, s.statement_id) < (:before_1::date, :before_2::text COLLATE "C")
    ORDER BY s.bill_period_to_date DESC, s.statement_id DESC
    LIMIT :count_max::integer`,
);

export interface InstructionRow extends Omit<ViewedInstruction, 'details'> {
  readonly details: Readonly<Record<string, unknown>>;
}

const INSTRUCTIONS = query<Placed<InstructionRow>>(
  'console.account_payment_instructions',
  `SELECT p.vendor, p.type, p.reference, p.details, p.verified_at AS "verifiedAt",
          ARRAY[p.verified_at::text, p.vendor, encode(p.reference_hash, 'hex')] AS place
     FROM payment_instruction p
    WHERE ${isOfAccount('p')}
      AND (p.verified_at, p.vendor, p.reference_hash)
          < (:before_1::timestamptz, :before_2::text COLLATE "C", decode(:before_3, 'hex'))
    ORDER BY p.verified_at DESC, p.vendor DESC, p.reference_hash DESC
    LIMIT :count_max::integer`,
);

/** What of a note is read; which of its documents were seen is in two columns (choice F3). */
export interface NoteRow {
  readonly createdAt: Date;
  readonly body: string;
  readonly is_pinned: boolean;
  readonly unpin_at: Date | null;
  readonly document_paths: readonly string[];
  readonly unseen_document_paths: readonly string[] | null;
  readonly are_seen: boolean;
}

const NOTES = query<Placed<NoteRow>>(
  'console.account_notes',
  `SELECT n.created_at AS "createdAt", n.body, n.is_pinned, n.unpin_at, n.document_paths, n.unseen_document_paths,
          n.documents_seen_at IS NOT NULL AS are_seen, ARRAY[n.created_at::text, encode(n.content_hash, 'hex')] AS place
     FROM note n
    WHERE ${isOfAccount('n')}
      AND (n.is_pinned AND (n.unpin_at IS NULL OR n.unpin_at > now())) = :is_pinned::boolean
      AND (n.created_at, n.content_hash) < (:before_1::timestamptz, decode(:before_2, 'hex'))
    ORDER BY n.created_at DESC, n.content_hash DESC
    LIMIT :count_max::integer`,
);

/** From where a page of a list is read, and how many rows of it. */
export interface Part {
  /** The place of the last row before. */
  readonly before: readonly string[];
  readonly countMax: number;
}

/** What is on one account, a page at a time, newest first. */
@Injectable()
export class AccountItemsRepository {
  transactions(
    tx: Tx,
    key: AccountKey,
    { type, from, to, id }: TransactionFilter,
    part: Part,
  ): Promise<Placed<ViewedTransaction>[]> {
    const filter = { type: type ?? null, from: from ?? null, to: to ?? null, transaction_id: id ?? null };
    return run(tx, TRANSACTIONS, { ...keyValues(key), ...filter, ...partValues(part) });
  }

  /** For each type, and at the end for all of them together. */
  typeTotals(tx: Tx, key: AccountKey): Promise<TypeTotal[]> {
    return run(tx, TYPE_TOTALS, keyValues(key));
  }

  async transaction(
    tx: Tx,
    key: AccountKey,
    id: string,
    occurrence: string,
  ): Promise<ItemizedTransaction | undefined> {
    const [row] = await run(tx, TRANSACTION, { ...keyValues(key), transaction_id: id, occurrence });
    return row;
  }

  statements(tx: Tx, key: AccountKey, part: Part): Promise<Placed<StatementRow>[]> {
    return run(tx, STATEMENTS, { ...keyValues(key), ...partValues(part) });
  }

  instructions(tx: Tx, key: AccountKey, part: Part): Promise<Placed<InstructionRow>[]> {
    return run(tx, INSTRUCTIONS, { ...keyValues(key), ...partValues(part) });
  }

  /** @param isPinned whether those that are pinned at present are wanted, or the others */
  notes(tx: Tx, key: AccountKey, isPinned: boolean, part: Part): Promise<Placed<NoteRow>[]> {
    return run(tx, NOTES, { ...keyValues(key), is_pinned: isPinned, ...partValues(part) });
  }
}

function partValues({ before, countMax }: Part): object {
  return {
    ...Object.fromEntries(before.map((value, index) => [`before_${index + 1}`, value])),
    count_max: countMax,
  };
}
