import { Injectable } from '@nestjs/common';
import { query, run, runForOne } from '../../infrastructure/database/query.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import { numbered } from '../../infrastructure/change-log/numbering.queries.js';
import { compared } from '../../accounts/counts/account-counts.queries.js';
import { DIFFERENCES } from '../../accounts/counts/account-counts.types.js';
import { changedAccounts, COUNTS, loadedAccounts } from './totals.queries.js';
import { ITEM_NAMES } from '../../infrastructure/item-names/item-names.js';

/** A part of the accounts, whose changes are carried over together. */
export interface AccountsPart {
  /** From 0. */
  readonly number: number;
  /** How many parts there are; 1 for all accounts. */
  readonly parts: number;
}

/** The work that waits for the totals of a supplier. */
export interface WaitingWork {
  /** Changes to carry over. */
  readonly changes: number;
  /** Whether the accounts with control totals must be counted again, and were not counted for some time. */
  readonly areControlsDue: boolean;
}

/** Counting a million accounts takes a fifth of a second, and while a supplier loads its counts are always stale. */
const CONTROLS_COUNTED_EVERY = `interval '20 seconds'`;

const FIND_WORK = query<WaitingWork>(
  'accounts.count_changes',
  `SELECT count(*)::integer AS changes, coalesce((
            SELECT t.are_controls_stale AND coalesce(t.controls_counted_at < now() - ${CONTROLS_COUNTED_EVERY}, true)
              FROM {supplier_total t}
             WHERE t.import_supplier_id = :import_supplier_id), false) AS "areControlsDue"
     FROM {supplier_change c}
    WHERE c.import_supplier_id = :import_supplier_id`,
);

/** The order makes the planner use the primary key whatever the statistics say: a scan reads all rows for a supplier without any. */
const HAS_CONTROLS = `(SELECT 1 FROM {account_control k} WHERE k.import_supplier_id = :import_supplier_id ORDER BY k.external_account_number LIMIT 1) IS NOT NULL`;

/** SQL for the rows of each kind that all accounts must hold; null when an account has no such total. */
const EXPECTED = ITEM_NAMES.map(
  (name) => `CASE WHEN count(c.${name}) >= t.pending + t.imported + t.failed THEN sum(c.${name}) END`,
);

/**
 * Reads every account. Only control totals and changes to the accounts themselves make it necessary, so it does not run
 * while a supplier loads.
 */
const COUNT_EXPECTED = query<never>(
  'accounts.count_expected',
  `UPDATE {supplier_total t}
      SET (controlled, ${ITEM_NAMES.map((name) => `expected_${name}`).join(', ')}) = (
            SELECT count(*), ${EXPECTED.join(', ')}
              FROM {account_control c}
             WHERE c.import_supplier_id = :import_supplier_id),
          is_expected_stale = false
    WHERE t.import_supplier_id = :import_supplier_id AND t.are_controls_stale AND t.is_expected_stale AND {held}`,
);

/** Read from an index of only the accounts that differ. All changes before the oldest one that waits are included. */
const COUNT_CONTROLS = query<never>(
  'accounts.count_controls',
  `UPDATE {supplier_total t}
      SET (${DIFFERENCES.join(', ')}) = (
            SELECT ${DIFFERENCES.map((state) => `coalesce(sum(found.count) FILTER (WHERE found.state = '${state}'), 0)`).join(', ')}
              FROM (SELECT c.state, count(*) AS count
                      FROM {account_control c}
                     WHERE c.import_supplier_id = :import_supplier_id AND c.state <> 'agrees'
                     GROUP BY c.state) AS found),
          controls_counted_at = now(),
          controls_as_of = least((SELECT min(c.at) FROM {supplier_change c}
                                   WHERE c.import_supplier_id = :import_supplier_id), now()),
          are_controls_stale = false
    WHERE t.import_supplier_id = :import_supplier_id AND t.are_controls_stale AND {held}`,
);

const COMPARED = compared('c');

/** SQL for whether an account `p` with changes is imported. */
const IS_IMPORTED = `((SELECT 1
           FROM {account_import a}
          WHERE a.import_supplier_id = :import_supplier_id AND a.external_account_number = p.external_account_number
            AND a.status = 'imported'
          LIMIT 1) IS NOT NULL)`;

/** The counts that are kept by the minute. */
const MINUTE_COUNTS = ['requests', ...ITEM_NAMES, 'imported', 'failed'] as const;

/** The counts of one minute, by the names of the columns. */
type MinuteRow = Readonly<Record<(typeof MINUTE_COUNTS)[number], number>> & { readonly minute: string };

/**
 * Take changes out, number those that belong in the feed, and add them to the totals.
 *
 * All visible changes of an account are taken at once, so that the totals have the account as of one snapshot and no count
 * is ever below 0. Whether an account has any import request is decided by its number of requests with and without the
 * changes, in the snapshot in which they are visible. Changes of the status of accounts, which are few, are in every part.
 *
 * In the same snapshot the accounts of the changes are compared with their control totals, if the supplier has any: when an
 * account is imported, and whenever its rows change. After any change the accounts that differ must be counted again,
 * because an erased account no longer has totals. The expected counts must be counted again unless only rows of accounts
 * changed. Imported accounts without an import request are kept in a table of their own. They are locked, because one may
 * have been erased since the snapshot.
 */
const TAKE = query<MinuteRow>(
  'accounts.take_changes',
  `WITH taken AS (
     DELETE FROM {supplier_change c}
      WHERE c.import_supplier_id = :import_supplier_id
        AND (c.external_account_number IS NULL OR (hashtext(c.external_account_number) & 1073741823) % :parts::integer = :part)
     RETURNING c.*
   ),${numbered('taken')},
   present AS MATERIALIZED (${changedAccounts('taken')}
   ),
   added AS (
     UPDATE {supplier_total t}
        SET ${COUNTS.map((name) => `${name} = t.${name} + sums.${name}`).join(',\n            ')},
            loaded_accounts = t.loaded_accounts + ${loadedAccounts('present')},
            last_request_at = greatest(t.last_request_at, sums.last_request_at),
            are_controls_stale = t.are_controls_stale OR t.controlled > 0 OR ${HAS_CONTROLS},
            is_expected_stale = t.is_expected_stale OR sums.is_of_accounts
       FROM (SELECT ${COUNTS.map((name) => `coalesce(sum(taken.${name}), 0) AS ${name}`).join(', ')},
                    max(taken.at) FILTER (WHERE taken.requests > 0) AS last_request_at,
                    coalesce(bool_or(taken.external_account_number IS NULL), false) AS is_of_accounts
               FROM taken) AS sums
      WHERE t.import_supplier_id = :import_supplier_id
   ),
   compared AS (
     UPDATE {account_control c}
        SET ${COMPARED.set}
      WHERE c.import_supplier_id = :import_supplier_id
        AND c.external_account_number = ANY (ARRAY(SELECT p.external_account_number FROM present p WHERE ${HAS_CONTROLS}))
        AND ${COMPARED.where}
   ),
   loaded AS (
     DELETE FROM {unloaded_account u}
      USING present p
      WHERE u.import_supplier_id = :import_supplier_id AND u.external_account_number = p.external_account_number
        AND CASE WHEN p.is_loaded THEN NOT p.was_loaded ELSE NOT ${IS_IMPORTED} END
   ),
   unloaded AS (
     INSERT INTO {unloaded_account} (import_supplier_id, external_account_number)
     SELECT :import_supplier_id, imported.external_account_number
       FROM present p
      CROSS JOIN LATERAL (
              SELECT a.external_account_number
                FROM {account_import a}
               WHERE a.import_supplier_id = :import_supplier_id AND a.external_account_number = p.external_account_number
                 AND a.status = 'imported'
               LIMIT 1
                 FOR KEY SHARE) AS imported
      WHERE NOT p.is_loaded
         ON CONFLICT DO NOTHING
   )
   SELECT date_trunc('minute', taken.at)::text AS minute,
          ${MINUTE_COUNTS.map((name) => `coalesce(sum(taken.${name}) FILTER (WHERE taken.${name} > 0), 0)::integer AS ${name}`).join(', ')}
     FROM taken
    WHERE {held}
    GROUP BY date_trunc('minute', taken.at)
    ORDER BY date_trunc('minute', taken.at)`,
);

const ADD_MINUTES = query<never>(
  'accounts.add_minutes',
  `INSERT INTO {supplier_minute m} (import_supplier_id, minute, ${MINUTE_COUNTS.join(', ')})
   SELECT :import_supplier_id, added.*
     FROM unnest(:minute::timestamptz[], ${MINUTE_COUNTS.map((name) => `:${name}::integer[]`).join(', ')}) AS added
    WHERE {held}
       ON CONFLICT (import_supplier_id, minute) DO UPDATE
      SET ${MINUTE_COUNTS.map((name) => `${name} = m.${name} + excluded.${name}`).join(', ')}`,
);

const HOUR = `date_bin('1 hour', m.minute, timestamptz 'epoch')`;

/**
 * Minutes older than a day are merged into one row per hour, which has the hour's first minute. Hours older than a week are
 * removed.
 */
const FOLD_MINUTES = query<never>(
  'accounts.fold_minutes',
  `WITH taken AS (
     DELETE FROM {supplier_minute m}
      WHERE m.import_supplier_id = :import_supplier_id AND m.minute < now() - interval '25 hours'
        AND (m.minute <> ${HOUR} OR m.minute < now() - interval '8 days')
        AND {held}
     RETURNING m.*
   )
   INSERT INTO {supplier_minute m} (import_supplier_id, minute, ${MINUTE_COUNTS.join(', ')})
   SELECT :import_supplier_id, ${HOUR}, ${MINUTE_COUNTS.map((name) => `sum(m.${name})`).join(', ')}
     FROM taken m
    WHERE m.minute >= now() - interval '8 days'
    GROUP BY 2
       ON CONFLICT (import_supplier_id, minute) DO UPDATE
      SET ${MINUTE_COUNTS.map((name) => `${name} = m.${name} + excluded.${name}`).join(', ')}`,
);

/** The changes that wait to be added to the totals. */
@Injectable()
export class CarryOverRepository {
  findWork(tx: Tx, importSupplierId: number): Promise<WaitingWork> {
    return runForOne(tx, FIND_WORK, { import_supplier_id: importSupplierId });
  }

  /** Count the accounts with control totals, if they may have changed. @param tx the transaction that holds the {@link lock} */
  async countControls(tx: Tx, importSupplierId: number): Promise<void> {
    await run(tx, COUNT_EXPECTED, { import_supplier_id: importSupplierId });
    await run(tx, COUNT_CONTROLS, { import_supplier_id: importSupplierId });
  }

  /**
   * Carry changes over to the feed, the totals and the minutes, and compare their accounts with the control totals.
   *
   * @param tx the transaction that holds the locks of the totals and of the feed
   */
  async carryOver(tx: Tx, importSupplierId: number, { number, parts }: AccountsPart): Promise<void> {
    const parameters = { import_supplier_id: importSupplierId };
    const added = await run(tx, TAKE, { ...parameters, part: number, parts });
    if (added.length === 0) return;
    await run(tx, ADD_MINUTES, {
      ...parameters,
      minute: added.map(({ minute }) => minute),
      ...Object.fromEntries(MINUTE_COUNTS.map((name) => [name, added.map((row) => row[name])])),
    });
    await run(tx, FOLD_MINUTES, parameters);
  }
}
