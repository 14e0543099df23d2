import { Injectable } from '@nestjs/common';
import { query, run, type QueryParameters } from '../../database/query.js';
import type { Tx } from '../../database/unit-of-work.js';
import { NOTE } from '../../items/note.item.js';
import { PAYMENT_INSTRUCTION } from '../../items/payment-instruction.item.js';
import { STATEMENT } from '../../items/statement.item.js';
import { TRANSACTION } from '../../items/transaction.item.js';
import { isOfAccount, keyValues, type AccountKey } from './account-key.js';
import type {
  ItemizedTransaction,
  TypeTotal,
  ViewedInstruction,
  ViewedNote,
  ViewedStatement,
  ViewedTransaction,
} from './account.types.js';
import { readPage, type ListPage } from '../common/cursor.js';
import { itemList, shownColumns, type ItemList, type WithCursor } from './item-list.js';

const PAGE_ROWS = 50;
/** Fewer, because each may have 50,000 characters. */
const PAGE_NOTES = 20;
/** How many readings of a line item are shown. */
const UNITS_SHOWN = 48;

const TRANSACTION_COLUMNS = ['item.occurrence::text AS occurrence', 'item.sent_date::text AS sent_date'];

export const TRANSACTIONS = itemList<ViewedTransaction>('console.account_transactions', TRANSACTION, {
  order: { transaction_date: 'date', transaction_id: 'text', occurrence: 'bigint' },
  further: TRANSACTION_COLUMNS,
  conditions: [
    '(:type::text IS NULL OR item.type = :type)',
    '(:from::date IS NULL OR item.transaction_date >= :from)',
    '(:to::date IS NULL OR item.transaction_date <= :to)',
    '(:id::text IS NULL OR item.transaction_id = :id)',
  ],
  rowsMax: PAGE_ROWS,
});

export const STATEMENTS = itemList<ViewedStatement>('console.account_statements', STATEMENT, {
  order: { bill_period_to_date: 'date', statement_id: 'text' },
  further: ['item.document_seen_at'],
  rowsMax: PAGE_ROWS,
});

export const INSTRUCTIONS = itemList<ViewedInstruction>(
  'console.account_payment_instructions',
  PAYMENT_INSTRUCTION,
  {
    order: { verified_at: 'timestamptz', vendor: 'text', reference_hash: 'bytea' },
    further: ['item.details', 'item.verified_at'],
    rowsMax: PAGE_ROWS,
  },
);

export const NOTES = itemList<ViewedNote>('console.account_notes', NOTE, {
  order: { created_at: 'timestamptz', content_hash: 'bytea' },
  further: ['item.unseen_document_paths', 'item.documents_seen_at'],
  conditions: ['(item.is_pinned AND (item.unpin_at IS NULL OR item.unpin_at > now())) = :is_pinned::boolean'],
  rowsMax: PAGE_NOTES,
});

const TYPE_TOTALS = query<TypeTotal>(
  'console.account_transaction_totals',
  `SELECT t.type, count(*)::float8 AS count, coalesce(sum(t.amount), 0)::text AS amount
     FROM {transaction t}
    WHERE ${isOfAccount('t')}
    GROUP BY GROUPING SETS ((t.type), ())
    ORDER BY t.type NULLS LAST`,
);

/** SQL for a list of objects with some of their members as texts, and further ones. */
const objects = (column: string, members: readonly string[], further = ''): string => `
          (SELECT coalesce(json_agg(json_build_object(
                    ${members.map((member) => `'${member}', object ->> '${member}'`).join(', ')}${further})), '[]')
             FROM jsonb_array_elements(item.${column}) AS object)`;

const TRANSACTION_BY_ID = query<ItemizedTransaction>(
  'console.account_transaction',
  `SELECT ${shownColumns(TRANSACTION, TRANSACTION_COLUMNS)},
          ${objects(
            'line_items',
            TRANSACTION.fields.line_items.members.filter((member) => member !== 'units'),
            `,
                    'unit_count', coalesce(jsonb_array_length(object -> 'units'), 0),
                    'first_units', ARRAY(SELECT unit #>> '{}'
                                           FROM jsonb_array_elements(object -> 'units') AS unit LIMIT ${UNITS_SHOWN})`,
          )} AS "lineItems",
          ${objects('tax_items', TRANSACTION.fields.tax_items.members)} AS "taxItems"
     FROM {transaction item}
    WHERE ${isOfAccount('item')} AND item.transaction_id = :transaction_id AND item.occurrence = :occurrence::bigint`,
);

/** What is on one account. */
@Injectable()
export class AccountItemsRepository {
  /** A page of a list, newest first. @param after parameter with which the page begins @param filter of the list */
  page<Row>(
    tx: Tx,
    { query: rows, cursorTypes, rowsMax }: ItemList<Row>,
    key: AccountKey,
    after: string | undefined,
    filter: QueryParameters = {},
  ): Promise<ListPage<Row>> {
    const read = (before: readonly string[], countMax: number): Promise<WithCursor<Row>[]> => {
      const values = Object.fromEntries(before.map((value, index) => [`before_${index + 1}`, value]));
      return run(tx, rows, { ...keyValues(key), ...filter, ...values, count_max: countMax });
    };
    return readPage(cursorTypes, after, rowsMax, read, ({ cursor }) => cursor);
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
    const [row] = await run(tx, TRANSACTION_BY_ID, { ...keyValues(key), transaction_id: id, occurrence });
    return row;
  }
}
