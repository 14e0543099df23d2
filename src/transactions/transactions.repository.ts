import { Injectable } from '@nestjs/common';
import {
  accountDoor,
  firstPositions,
  loadNumbers,
  loadRecord,
  runLoads,
  type DoorAnswer,
} from '../imports/account-access.js';
import { query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import { pinNote } from '../notes/pinned-note.js';
import type {
  NewTransaction,
  TransactionOutcome,
  BookingResult,
  TransactionsLoad,
  BookAnswer,
} from './transactions.types.js';

/** Ids that the pinned note names, in the order of the payload; the rest is a count (contract X7). */
const NAMED_IDS_MAX = 50;

/** What each load brings along besides its transactions. */
const OWN_COLUMNS = {
  first_position: 'integer',
  count: 'integer',
  today: 'date',
  now: 'timestamptz',
  is_checked: 'boolean',
  is_forced: 'boolean',
};

interface BookRow extends DoorAnswer {
  first_day: string | null;
  last_day: string | null;
  /** Positions, from 0, of what keeps the load from being booked; null stands for none. */
  outside: number[] | null;
  /** Null stands for none. */
  stored: number | null;
  /** Ids of what was stored, when it is neither all nor nothing. */
  stored_ids: string[] | null;
  moved: { id: string; to: string; note: string }[] | null;
}

/**
 * Book the transactions of one load or of several in one statement: judge them by the open statement period of their
 * account, add all or none of those of a load that the account does not have, and explain what was moved.
 *
 * Which ones the account has is decided by the primary key. They are looked up beforehand only where it cannot decide:
 * when one that is new may keep the whole load from being booked, and on an account with transactions that were added
 * without looking, whose keys are others.
 *
 * Rows are added in the order of their keys, whatever the order of the payload, so that two requests with the same
 * transactions do not wait for each other in a circle.
 *
 * The period ends today when it has no end, and never before its first day.
 */
const BOOK = query<BookRow>(
  'transactions.book',
  `WITH ${accountDoor(OWN_COLUMNS)},
  period AS MATERIALIZED (
    SELECT door.*,
           door.open_statement_from AS first_day,
           greatest(door.open_statement_from, coalesce(door.open_statement_to, door.today)) AS last_day,
           door.is_checked AND (NOT door.is_forced OR (
             SELECT 1
               FROM transaction other
              WHERE other.import_supplier_id = door.import_supplier_id
                AND other.external_account_number = door.external_account_number
                AND other.occurrence <> 0
              LIMIT 1
           ) IS NOT NULL) AS must_look
      FROM door
  ),
  judged AS MATERIALIZED (
    SELECT sent.*, period.import_request_id, period.import_supplier_id, period.external_account_number, period.is_checked,
           period.is_forced,
           least(greatest(sent.transaction_date, period.first_day), period.last_day) AS booked_date,
           period.must_look AND (
             SELECT 1
               FROM transaction known
              WHERE known.import_supplier_id = period.import_supplier_id
                AND known.external_account_number = period.external_account_number
                AND known.transaction_id = sent.transaction_id
              LIMIT 1
           ) IS NOT NULL AS is_known
      FROM unnest($12::integer[], $13::text[], $14::date[], $15::numeric[], $16::text[], $17::text[], $18::text[],
                  $19::text[], $20::text[], $21::text[], $22::text[], $23::jsonb[], $24::jsonb[])
             WITH ORDINALITY
             AS sent (load, transaction_id, transaction_date, amount, type, reason, reference, payment_type,
                      display_note, note, product_code, line_items, tax_items, position)
      JOIN period ON period.load = sent.load AND period.is_open
  ),
  refused AS NOT MATERIALIZED (
    SELECT judged.load, judged.position
      FROM judged
     WHERE NOT judged.is_forced AND NOT judged.is_known AND judged.booked_date <> judged.transaction_date
  ),
  added AS (
    INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, occurrence, import_request_id,
                             transaction_date, sent_date, amount, type, reason, reference, payment_type, display_note,
                             note, product_code, line_items, tax_items)
    SELECT judged.import_supplier_id, judged.external_account_number, judged.transaction_id,
           CASE WHEN judged.is_checked THEN 0 ELSE nextval('transaction_occurrence') END, judged.import_request_id,
           judged.booked_date, nullif(judged.transaction_date, judged.booked_date), judged.amount, judged.type,
           judged.reason, judged.reference, judged.payment_type, judged.display_note,
           CASE WHEN judged.booked_date = judged.transaction_date THEN judged.note
                ELSE concat_ws(' ', nullif(judged.note, ''), format(
                  'The transaction date was changed from %s to %s, which lies in the open statement period.',
                  judged.transaction_date, judged.booked_date)) END,
           judged.product_code, judged.line_items, judged.tax_items
      FROM judged
     WHERE NOT judged.is_known AND judged.load <> ALL (ARRAY(SELECT refused.load FROM refused))
     ORDER BY judged.load, judged.transaction_id COLLATE "C"
        ON CONFLICT DO NOTHING
    RETURNING transaction.import_request_id, transaction.transaction_id, transaction.transaction_date, transaction.sent_date,
              CASE WHEN transaction.sent_date IS NOT NULL THEN transaction.note END AS note
  ),
  outcome AS MATERIALIZED (
    SELECT period.*, stored.stored, stored.stored_ids, moved.ids AS moved_ids, moved.rows AS moved
      FROM period
      LEFT JOIN (
        SELECT import_request_id, count(*)::integer AS stored, array_agg(transaction_id) AS stored_ids
          FROM added
         GROUP BY import_request_id
      ) AS stored USING (import_request_id)
      LEFT JOIN (
        SELECT added.import_request_id, array_agg(added.transaction_id ORDER BY judged.position) AS ids,
               json_agg(json_build_object('id', added.transaction_id, 'to', added.transaction_date, 'note', added.note))
                 AS rows
          FROM added
          JOIN judged USING (import_request_id, transaction_id)
         WHERE added.sent_date IS NOT NULL
         GROUP BY added.import_request_id
      ) AS moved USING (import_request_id)
  ),
  ${pinNote(
    'explained',
    'outcome',
    `CASE WHEN o.moved_ids IS NOT NULL THEN format(
              '%s of the imported transactions lay outside the open statement period from %s to %s; the date was changed: %s%s. Load %s.',
              cardinality(o.moved_ids), o.first_day, o.last_day,
              array_to_string(o.moved_ids[:${NAMED_IDS_MAX}], ', '),
              CASE WHEN cardinality(o.moved_ids) > ${NAMED_IDS_MAX}
                   THEN format(' and %s more', cardinality(o.moved_ids) - ${NAMED_IDS_MAX}) END,
              o.import_request_id) END`,
    `date_trunc('second', o.now)`,
  )},
  ${loadRecord('transactions', 'outcome')}
  SELECT o.load, o.supplier_status, o.is_open, o.first_day, o.last_day, o.stored,
         CASE WHEN o.stored < o.count THEN o.stored_ids END AS stored_ids, o.moved,
         CASE WHEN NOT o.is_forced
              THEN (SELECT array_agg((refused.position - o.first_position)::integer ORDER BY refused.position)
                      FROM refused
                     WHERE refused.load = o.load) END AS outside
    FROM outcome o`,
);

@Injectable()
export class TransactionsRepository {
  /**
   * Store the transactions of each load that its account does not have yet, if the door is open and the period allows it.
   *
   * @param loads onto different accounts
   * @returns one answer for each load, in their order
   */
  async book(tx: Tx, loads: readonly TransactionsLoad[]): Promise<BookAnswer[]> {
    const draftsOf = ({ drafts }: TransactionsLoad): readonly NewTransaction[] => drafts;
    const sent = loads.flatMap(draftsOf);
    const answers = await runLoads(tx, BOOK, loads, [
      firstPositions(loads, draftsOf),
      loads.map(({ drafts }) => drafts.length),
      loads.map(({ today }) => today),
      loads.map(({ now }) => now.toISOString()),
      loads.map(({ rules }) => rules.checkPreviouslyAdded),
      loads.map(({ rules }) => rules.forceIntoOpenPeriod),
      loadNumbers(loads, draftsOf),
      column(sent, ({ id }) => id),
      column(sent, ({ date }) => date),
      column(sent, ({ amount }) => amount),
      column(sent, ({ type }) => type),
      column(sent, ({ reason }) => reason),
      column(sent, ({ reference }) => reference),
      column(sent, ({ paymentType }) => paymentType),
      column(sent, ({ displayNote }) => displayNote),
      column(sent, ({ note }) => note),
      column(sent, ({ productCode }) => productCode),
      column(sent, ({ lineItems }) => lineItems && JSON.stringify(lineItems)),
      column(sent, ({ taxItems }) => taxItems && JSON.stringify(taxItems)),
    ]);
    return answers.map(({ load, row }) => ({ ...row, result: toResult(row, load.drafts) }));
  }
}

/** The values of one column, or null when no draft has any: PostgreSQL then fills the column with nulls itself. */
function column<T, V>(drafts: readonly T[], value: (draft: T) => V | undefined): (V | null)[] | null {
  const values = drafts.map((draft) => value(draft) ?? null);
  return values.every((one) => one === null) ? null : values;
}

function toResult(
  { outside, first_day, last_day, stored, stored_ids, moved }: BookRow,
  drafts: readonly NewTransaction[],
): BookingResult {
  if (outside !== null) {
    return { refusal: { positions: outside, firstDay: first_day ?? '', lastDay: last_day ?? '' } };
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
