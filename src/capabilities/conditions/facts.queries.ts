import { failureCause } from '../../accounts/importing/failure-cause.js';
import { query } from '../../infrastructure/database/query.js';
import { ITEM_NAMES } from '../../infrastructure/item-names/item-names.js';
import { documentCountsOf } from '../../ingest/documents/document-counts.queries.js';
import { readersOf } from '../feed/readers.queries.js';
import { recentRefusals } from '../request-log/requests/recent-refusals.js';
import { importingOf, totalsOf } from '../totals/stored-totals.queries.js';
import type { FactsRow } from './facts.types.js';

/** The newest changes of a feed that are searched for the last stored or undone import. */
const CHANGES_MAX = 1_000;

/** SQL for the most frequent of some causes, as JSON. @param causes a query with the columns `words` and `is_shown` */
const commonestOf = (causes: string): string => `
          (SELECT json_build_object('words', c.words, 'count', count(*))
             FROM (${causes}) AS c
            WHERE c.is_shown
            GROUP BY c.words
            ORDER BY count(*) DESC, c.words
            LIMIT 1)`;

/** The time of the staging, which no index has, keeps the planner from the index of the causes, of which it would read all. */
const FAILED = `
                  SELECT ${failureCause('a')} AS words, a.staged_at <= now() AS is_shown
                    FROM {account_import a}
                   WHERE a.import_supplier_id = supplier.id AND a.status = 'failed'
                   ORDER BY a.failed_at DESC NULLS LAST, a.external_account_number DESC
                   LIMIT :count_max::integer`;

/**
 * The facts of suppliers: a row each. Each part reads the totals, or at most `count_max` entries of an index, so that the pages and
 * the metrics of every process can run it every few seconds.
 *
 * Source: decision 29 (docs/decisions/).
 */
export const FACTS = query<FactsRow>(
  'conditions.facts',
  `SELECT supplier.id, totals.*, importing.*, documents.*,
          (SELECT count(*) FROM (${recentRefusals('supplier.id')}) AS refused)::float8 AS refusals,${commonestOf(recentRefusals('supplier.id'))} AS "refusalCause",${commonestOf(FAILED)} AS "failureCause",
          coalesce(lag.changes, 0) AS "lagChanges", coalesce(lag.seconds, 0) AS "lagSeconds",
          coalesce((SELECT newest.type = 'import.undone'
                      FROM (SELECT c.type, c.sequence
                              FROM {feed_change c}
                             WHERE c.import_supplier_id = supplier.id
                             ORDER BY c.sequence DESC
                             LIMIT ${CHANGES_MAX}) AS newest
                     WHERE newest.type = 'import.undone' OR newest.type LIKE '%.added'
                     ORDER BY newest.sequence DESC
                     LIMIT 1), false) AS "isUndone",
          (SELECT json_build_object(${ITEM_NAMES.map((name) => `'${name}', coalesce(sum(m.${name}), 0)`).join(', ')})
             FROM {supplier_minute m}
            WHERE m.import_supplier_id = supplier.id AND m.minute > now() - interval '1 day'
              AND supplier.cut_over IS NOT NULL) AS "storedInDay"
     FROM {import_supplier supplier}
    CROSS JOIN LATERAL (${totalsOf('supplier.id')}) AS totals
    CROSS JOIN LATERAL (${importingOf('supplier.id')}) AS importing
    CROSS JOIN LATERAL (${documentCountsOf('supplier.id')}) AS documents
    CROSS JOIN LATERAL (
      SELECT max(reader."lagChanges") AS changes, max(reader."lagSeconds") AS seconds FROM (${readersOf('supplier.id')}) AS reader
    ) AS lag
    WHERE supplier.id = ANY (:import_supplier_ids::integer[])`,
);
