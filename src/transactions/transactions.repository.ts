import { Injectable } from '@nestjs/common';
import { ACCOUNT_DOOR, doorParameters, loadRecord, type DoorAnswer } from '../accounts/account-door.js';
import type { AccountRef } from '../accounts/account-ref.js';
import type { Caller } from '../auth/caller.js';
import { runForOne, statement } from '../database/statement.js';
import type { Tx } from '../database/unit-of-work.js';
import { pinNote } from '../notes/pinned-note.js';
import type {
  BookingResult,
  BookingRules,
  TransactionDraft,
  TransactionOutcome,
} from './transactions.service.js';

/** Ids that the pinned note names; the rest is a count (contract X7). */
const NAMED_IDS_MAX = 50;

/** Positions are one-based, as PostgreSQL counts; null stands for none. */
interface BookRow extends DoorAnswer {
  first_day: string | null;
  last_day: string | null;
  /** What keeps the request from being booked. */
  outside: number[] | null;
  /** What the account has already. */
  known: number[] | null;
  moved: { position: number; to: string; note: string }[] | null;
}

/**
 * Book transactions in one statement: look which ones the account has, judge the rest by the open statement period,
 * add all or none of them, and explain what was moved.
 *
 * What another request adds between our look and our insert is seen by the primary key, and counts as known.
 *
 * The period ends today when it has no end, and never before its first day.
 */
const BOOK = statement<BookRow>(
  'transactions.book',
  `WITH ${ACCOUNT_DOOR},
  period AS (
    SELECT open_statement_from AS first_day,
           greatest(open_statement_from, coalesce(open_statement_to, $18::date)) AS last_day
      FROM door
     WHERE door.is_open
  ),
  judged AS MATERIALIZED (
    SELECT sent.*,
           least(greatest(sent.transaction_date, period.first_day), period.last_day) AS booked_date,
           $19::boolean AND (
             SELECT 1
               FROM transaction known
              WHERE known.import_supplier_id = door.import_supplier_id
                AND known.external_account_number = door.external_account_number
                AND known.transaction_id = sent.transaction_id
              LIMIT 1
           ) IS NOT NULL AS is_known
      FROM door, period,
           unnest($6::text[], $7::date[], $8::numeric[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[],
                  $14::text[], $15::text[], $16::jsonb[], $17::jsonb[])
             WITH ORDINALITY AS sent (transaction_id, transaction_date, amount, type, reason, reference, payment_type,
                                      display_note, note, product_code, line_items, tax_items, position)
  ),
  displaced AS MATERIALIZED (
    SELECT judged.position, judged.transaction_id, judged.booked_date,
           concat_ws(' ', nullif(judged.note, ''), format(
             'The transaction date was changed from %s to %s, which lies in the open statement period.',
             judged.transaction_date, judged.booked_date)) AS note
      FROM judged
     WHERE NOT judged.is_known AND judged.booked_date <> judged.transaction_date
  ),
  added AS (
    INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, occurrence, load_id,
                             transaction_date, sent_date, amount, type, reason, reference, payment_type, display_note,
                             note, product_code, line_items, tax_items)
    SELECT door.import_supplier_id, door.external_account_number, judged.transaction_id,
           CASE WHEN $19::boolean THEN 0 ELSE nextval('transaction_occurrence') END, door.load_id,
           judged.booked_date, nullif(judged.transaction_date, judged.booked_date), judged.amount, judged.type,
           judged.reason, judged.reference, judged.payment_type, judged.display_note,
           coalesce(displaced.note, judged.note), judged.product_code, judged.line_items, judged.tax_items
      FROM door, judged
      LEFT JOIN displaced ON displaced.position = judged.position
     WHERE NOT judged.is_known
       AND ($20::boolean OR (SELECT 1 FROM displaced LIMIT 1) IS NULL)
     ORDER BY judged.position
        ON CONFLICT DO NOTHING
    RETURNING transaction.transaction_id
  ),
  moved AS (
    SELECT displaced.*, row_number() OVER (ORDER BY displaced.position) AS rank
      FROM displaced
      JOIN added ON added.transaction_id = displaced.transaction_id
  ),
  ${pinNote(
    'explained',
    `SELECT format(
              '%s of the imported transactions lay outside the open statement period from %s to %s; the date was changed: %s%s.',
              count(*), min(period.first_day), min(period.last_day),
              string_agg(moved.transaction_id, ', ' ORDER BY moved.position) FILTER (WHERE moved.rank <= ${NAMED_IDS_MAX}),
              CASE WHEN count(*) > ${NAMED_IDS_MAX} THEN format(' and %s more', count(*) - ${NAMED_IDS_MAX}) END)
       FROM period, moved
     HAVING count(*) > 0`,
    `date_trunc('second', $21::timestamptz)`,
  )},
  ${loadRecord('transactions', 'SELECT count(*) FROM added')}
  SELECT door.supplier_status, door.is_open, period.first_day, period.last_day,
         (SELECT array_agg(position::integer ORDER BY position) FROM displaced WHERE NOT $20::boolean) AS outside,
         (SELECT array_agg(judged.position::integer ORDER BY judged.position)
            FROM judged
            LEFT JOIN added ON added.transaction_id = judged.transaction_id
           WHERE added.transaction_id IS NULL) AS known,
         (SELECT json_agg(json_build_object('position', position, 'to', booked_date, 'note', note)) FROM moved) AS moved
    FROM (VALUES (1)) AS always (one)
    LEFT JOIN door ON true
    LEFT JOIN period ON true`,
);

@Injectable()
export class TransactionsRepository {
  /**
   * Store the transactions that the account does not have yet, if the door is open and the period allows it.
   *
   * @param moment today's calendar day in the platform's time zone, and the moment of a note
   */
  async book(
    tx: Tx,
    caller: Caller,
    ref: AccountRef,
    drafts: readonly TransactionDraft[],
    rules: BookingRules,
    moment: { today: string; now: Date },
  ): Promise<DoorAnswer & { result: BookingResult }> {
    const { supplier_status, is_open, ...row } = await runForOne(tx, BOOK, [
      ...doorParameters(caller, ref),
      column(drafts, ({ id }) => id),
      column(drafts, ({ date }) => date),
      column(drafts, ({ amount }) => amount),
      column(drafts, ({ type }) => type),
      column(drafts, ({ reason }) => reason),
      column(drafts, ({ reference }) => reference),
      column(drafts, ({ paymentType }) => paymentType),
      column(drafts, ({ displayNote }) => displayNote),
      column(drafts, ({ note }) => note),
      column(drafts, ({ productCode }) => productCode),
      column(drafts, ({ lineItems }) => lineItems && JSON.stringify(lineItems)),
      column(drafts, ({ taxItems }) => taxItems && JSON.stringify(taxItems)),
      moment.today,
      rules.checkPreviouslyAdded,
      rules.forceIntoOpenPeriod,
      moment.now,
    ]);
    return { supplier_status, is_open, result: toResult(row, drafts.length) };
  }
}

/** The values of one column, or null when no draft has any: PostgreSQL then fills the column with nulls itself. */
function column<T, V>(drafts: readonly T[], value: (draft: T) => V | undefined): (V | null)[] | null {
  const values = drafts.map((draft) => value(draft) ?? null);
  return values.every((one) => one === null) ? null : values;
}

function toResult(row: Omit<BookRow, keyof DoorAnswer>, count: number): BookingResult {
  if (row.outside !== null) {
    const positions = row.outside.map((position) => position - 1);
    return { refusal: { positions, firstDay: row.first_day ?? '', lastDay: row.last_day ?? '' } };
  }
  const outcomes = Array.from({ length: count }, (): TransactionOutcome => ({ isNew: true }));
  for (const position of row.known ?? []) outcomes[position - 1] = { isNew: false };
  for (const { position, to, note } of row.moved ?? [])
    outcomes[position - 1] = { isNew: true, moved: { to, note } };
  return { outcomes };
}
