import { Injectable } from '@nestjs/common';
import { query, run, type QueryParameters } from '../../../infrastructure/database/query.js';
import { shortened, shortenedMembers } from '../../../infrastructure/database/shortened.js';
import type { Tx } from '../../../infrastructure/database/unit-of-work.js';
import { NOTE } from '../../../ingest/kinds/note.item.js';
import { PAYMENT_INSTRUCTION } from '../../../ingest/kinds/payment-instruction.item.js';
import { STATEMENT } from '../../../ingest/kinds/statement.item.js';
import { TRANSACTION } from '../../../ingest/kinds/transaction.item.js';
import { withExactNumbers } from '../../../capabilities/feed/item-json.js';
import { isOfAccount, keyValues, type AccountKey } from './account-key.js';
import type {
  ItemizedTransaction,
  TypeTotal,
  ViewedInstruction,
  ViewedNote,
  ViewedStatement,
  ViewedTransaction,
} from './account.types.js';
import { decodeCursor, readPage, type ListPage } from '../common/cursor.js';
import { itemList, shownColumns, type Columns, type ItemList, type WithCursor } from './item-list.js';

const PAGE_ROWS = 50;
/** The most bytes of the rows of a list as JSON; as HTML they may take ten times as many. */
export const LIST_BYTES_MAX = 24_576;
/** How many characters of a note's body and of a transaction's notes a list shows, and how many documents of a row. */
const BODY_SHOWN = 1_200;
const TEXT_SHOWN = 300;
const DOCUMENTS_SHOWN = 3;
/** The page of a note shows all documents: this is the most that can be sent. */
const DOCUMENTS_MAX = 100;

const TRANSACTION_COLUMNS = {
  occurrence: 'item.occurrence::text',
  sent_date: 'item.sent_date::text',
  isLong: `greatest(char_length(item.display_note), char_length(item.note)) > ${TEXT_SHOWN} IS TRUE`,
};

export const TRANSACTIONS = itemList<ViewedTransaction>('console.account_transactions', TRANSACTION, {
  order: ['transaction_date', 'transaction_id', 'occurrence'],
  columns: {
    ...TRANSACTION_COLUMNS,
    display_note: shortened('item.display_note', TEXT_SHOWN),
    note: shortened('item.note', TEXT_SHOWN),
  },
  conditions: [
    '(:type::text IS NULL OR item.type = :type)',
    '(:from::date IS NULL OR item.transaction_date >= :from)',
    '(:to::date IS NULL OR item.transaction_date <= :to)',
    '(:id::text IS NULL OR item.transaction_id = :id)',
  ],
});

export const STATEMENTS = itemList<ViewedStatement>('console.account_statements', STATEMENT, {
  order: ['bill_period_to_date', 'statement_id'],
  columns: { document_seen_at: 'item.document_seen_at' },
});

export const INSTRUCTIONS = itemList<ViewedInstruction>(
  'console.account_payment_instructions',
  PAYMENT_INSTRUCTION,
  {
    order: ['verified_at', 'vendor', 'reference_hash'],
    columns: { details: shortenedMembers('item.details'), verified_at: 'item.verified_at' },
  },
);

/** Columns of a note: its first documents, which of these were not found, and how many there are. */
const noteColumns = (countMax: number): Columns => ({
  document_paths: `item.document_paths[:${countMax}]`,
  document_count: 'cardinality(item.document_paths)',
  unseen_document_paths: `CASE WHEN item.unseen_document_paths IS NOT NULL
             THEN ARRAY(SELECT unnest(item.document_paths[:${countMax}]) INTERSECT SELECT unnest(item.unseen_document_paths))
             END`,
  documents_seen_at: 'item.documents_seen_at',
  isLong: `char_length(item.body) > ${BODY_SHOWN}`,
});

export const NOTES = itemList<ViewedNote>('console.account_notes', NOTE, {
  order: ['created_at', 'content_hash'],
  columns: { ...noteColumns(DOCUMENTS_SHOWN), body: shortened('item.body', BODY_SHOWN) },
  conditions: ['(item.is_pinned AND (item.unpin_at IS NULL OR item.unpin_at > now())) = :is_pinned::boolean'],
});

const NOTE_BY_KEY = query<ViewedNote>(
  'console.account_note',
  `SELECT ${shownColumns(NOTE, noteColumns(DOCUMENTS_MAX))}
     FROM {note item}
    WHERE ${isOfAccount('item')} AND item.content_hash = decode(:content_hash, 'hex') AND item.created_at = :created_at::timestamptz`,
);

const TYPE_TOTALS = query<TypeTotal>(
  'console.account_transaction_totals',
  `SELECT t.type, count(*)::float8 AS count, coalesce(sum(t.amount), 0)::text AS amount
     FROM {transaction t}
    WHERE ${isOfAccount('t')}
    GROUP BY GROUPING SETS ((t.type), ())
    ORDER BY t.type NULLS LAST`,
);

/** A transaction whose lists are still JSON text. Taking them apart in SQL, a member at a time, takes four times as long. */
type StoredTransaction = Omit<ItemizedTransaction, 'lineItems' | 'taxItems'> &
  Readonly<Record<'lineItems' | 'taxItems', string | null>>;

const TRANSACTION_BY_ID = query<StoredTransaction>(
  'console.account_transaction',
  `SELECT ${shownColumns(TRANSACTION, TRANSACTION_COLUMNS)}, item.line_items::text AS "lineItems", item.tax_items::text AS "taxItems"
     FROM {transaction item}
    WHERE ${isOfAccount('item')} AND item.transaction_id = :transaction_id AND item.occurrence = :occurrence::bigint`,
);

@Injectable()
export class AccountItemsRepository {
  /**
   * A page of a list, newest first. @param after parameter with which the page begins @param filter parameters of the
   * list's conditions
   */
  page<Row>(
    tx: Tx,
    { query: rows, cursorTypes }: ItemList<Row>,
    key: AccountKey,
    after: string | undefined,
    filter: QueryParameters = {},
  ): Promise<ListPage<WithCursor<Row>>> {
    const read = (before: readonly string[], countMax: number): Promise<WithCursor<Row>[]> => {
      const values = Object.fromEntries(before.map((value, index) => [`before_${index + 1}`, value]));
      return run(tx, rows, { ...keyValues(key), ...filter, ...values, count_max: countMax });
    };
    return readPage(cursorTypes, after, PAGE_ROWS, read, ({ cursor }) => cursor, LIST_BYTES_MAX);
  }

  /** @param place of the note in its list, as {@link noteAddress} writes it @returns undefined when the account has no such note */
  async note(tx: Tx, key: AccountKey, place: string): Promise<ViewedNote | undefined> {
    const [created_at, content_hash] = decodeCursor(NOTES.cursorTypes, place) ?? [];
    if (content_hash === undefined) return undefined;
    return (await run(tx, NOTE_BY_KEY, { ...keyValues(key), created_at, content_hash }))[0];
  }

  /** The totals of each type, and at the end those of all types. */
  typeTotals(tx: Tx, key: AccountKey): Promise<TypeTotal[]> {
    return run(tx, TYPE_TOTALS, keyValues(key));
  }

  async transaction(
    tx: Tx,
    key: AccountKey,
    id: string,
    occurrence: string,
  ): Promise<ItemizedTransaction | undefined> {
    const [row] = await run(tx, TRANSACTION_BY_ID, { ...keyValues(key), transaction_id: id, occurrence });
    return row && { ...row, lineItems: objectsOf(row.lineItems), taxItems: objectsOf(row.taxItems) };
  }
}

/** The objects of a stored list, with their numbers as strings. */
function objectsOf<Of>(list: string | null): Of[] {
  return JSON.parse(withExactNumbers(list ?? '[]')) as Of[];
}
