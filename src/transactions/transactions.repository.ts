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

/** Ids that the pinned note names, in the order in which they were stored; the rest is a count (contract X7). */
const NAMED_IDS_MAX = 50;

interface BookRow extends DoorAnswer {
  first_day: string | null;
  last_day: string | null;
  /** One-based positions of what keeps the request from being booked; null stands for none. */
  outside: number[] | null;
  stored: number;
  /** Ids of what was stored, when it is neither all nor nothing. */
  stored_ids: string[] | null;
  moved: { id: string; to: string; note: string }[] | null;
}

/**
 * Book transactions in one statement: judge them by the open statement period, add all or none of those that the account
 * does not have, and explain what was moved.
 *
 * Which ones the account has is decided by the primary key. They are looked up beforehand only where it cannot decide:
 * when one that is new may keep the whole request from being booked, and on an account with transactions that were added
 * without looking, whose keys are others.
 *
 * The period ends today when it has no end, and never before its first day.
 */
const BOOK = statement<BookRow>(
  'transactions.book',
  `WITH ${ACCOUNT_DOOR},
  period AS MATERIALIZED (
    SELECT door.open_statement_from AS first_day,
           greatest(door.open_statement_from, coalesce(door.open_statement_to, $18::date)) AS last_day,
           $19::boolean AND (NOT $20::boolean OR (
             SELECT 1
               FROM transaction other
              WHERE other.import_supplier_id = door.import_supplier_id
                AND other.external_account_number = door.external_account_number
                AND other.occurrence <> 0
              LIMIT 1
           ) IS NOT NULL) AS must_look
      FROM door
     WHERE door.is_open
  ),
  judged AS MATERIALIZED (
    SELECT sent.*,
           least(greatest(sent.transaction_date, period.first_day), period.last_day) AS booked_date,
           period.must_look AND (
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
  refused AS NOT MATERIALIZED (
    SELECT judged.position
      FROM judged
     WHERE NOT $20::boolean AND NOT judged.is_known AND judged.booked_date <> judged.transaction_date
  ),
  added AS (
    INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, occurrence, load_id,
                             transaction_date, sent_date, amount, type, reason, reference, payment_type, display_note,
                             note, product_code, line_items, tax_items)
    SELECT door.import_supplier_id, door.external_account_number, judged.transaction_id,
           CASE WHEN $19::boolean THEN 0 ELSE nextval('transaction_occurrence') END, door.load_id,
           judged.booked_date, nullif(judged.transaction_date, judged.booked_date), judged.amount, judged.type,
           judged.reason, judged.reference, judged.payment_type, judged.display_note,
           CASE WHEN judged.booked_date = judged.transaction_date THEN judged.note
                ELSE concat_ws(' ', nullif(judged.note, ''), format(
                  'The transaction date was changed from %s to %s, which lies in the open statement period.',
                  judged.transaction_date, judged.booked_date)) END,
           judged.product_code, judged.line_items, judged.tax_items
      FROM door, judged
     WHERE NOT judged.is_known AND (SELECT 1 FROM refused LIMIT 1) IS NULL
        ON CONFLICT DO NOTHING
    RETURNING transaction.transaction_id, transaction.transaction_date, transaction.sent_date, transaction.note
  ),
  ${pinNote(
    'explained',
    `SELECT format(
              '%s of the imported transactions lay outside the open statement period from %s to %s; the date was changed: %s%s.',
              count(*), min(period.first_day), min(period.last_day),
              array_to_string((array_agg(added.transaction_id))[:${NAMED_IDS_MAX}], ', '),
              CASE WHEN count(*) > ${NAMED_IDS_MAX} THEN format(' and %s more', count(*) - ${NAMED_IDS_MAX}) END)
       FROM period, added
      WHERE added.sent_date IS NOT NULL
     HAVING count(*) > 0`,
    `date_trunc('second', $21::timestamptz)`,
  )},
  outcome AS MATERIALIZED (
    SELECT count(*)::integer AS stored,
           CASE WHEN count(*) BETWEEN 1 AND cardinality($6) - 1 THEN array_agg(transaction_id) END AS stored_ids,
           json_agg(json_build_object('id', transaction_id, 'to', transaction_date, 'note', note))
             FILTER (WHERE sent_date IS NOT NULL) AS moved
      FROM added
  ),
  ${loadRecord('transactions', 'SELECT stored FROM outcome')}
  SELECT door.supplier_status, door.is_open, period.first_day, period.last_day, outcome.*,
         (SELECT array_agg(position::integer ORDER BY position) FROM refused) AS outside
    FROM outcome
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
    const row = await runForOne(tx, BOOK, [
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
    return { supplier_status: row.supplier_status, is_open: row.is_open, result: toResult(row, drafts) };
  }
}

/** The values of one column, or null when no draft has any: PostgreSQL then fills the column with nulls itself. */
function column<T, V>(drafts: readonly T[], value: (draft: T) => V | undefined): (V | null)[] | null {
  const values = drafts.map((draft) => value(draft) ?? null);
  return values.every((one) => one === null) ? null : values;
}

function toResult(
  { outside, first_day, last_day, stored, stored_ids, moved }: BookRow,
  drafts: readonly TransactionDraft[],
): BookingResult {
  if (outside !== null) {
    const positions = outside.map((position) => position - 1);
    return { refusal: { positions, firstDay: first_day ?? '', lastDay: last_day ?? '' } };
  }
  const isAll = stored === drafts.length;
  const newIds = new Set(stored_ids);
  const movedById = new Map(moved?.map(({ id, to, note }) => [id, { to, note }]));
  const outcomes = drafts.map(({ id }): TransactionOutcome => {
    const move = movedById.get(id);
    return { isNew: isAll || newIds.has(id), ...(move && { moved: move }) };
  });
  return { outcomes };
}
