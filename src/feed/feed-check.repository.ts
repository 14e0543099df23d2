import { Injectable } from '@nestjs/common';
import { query, runForOne } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import type { FeedCheck } from './feed-check.types.js';

/** Whether a change of the type is neither numbered nor waits for it. @param request SQL for the id of its import request, if it has one */
const isMissing = (row: string, type: string, request?: string): string => {
  const which = request === undefined ? '' : ` AND c.import_request_id = ${request}`;
  const condition = `WHERE c.import_supplier_id = :import_supplier_id AND c.external_account_number = ${row}.external_account_number
                AND c.type = ${type}${which}`;
  return `NOT EXISTS (SELECT FROM {feed_change c} ${condition}) AND NOT EXISTS (SELECT FROM {supplier_change c} ${condition})`;
};

/** What is stored and has no change, in one snapshot, in which each change is in the queue or in the log. */
const MISSING = `missing AS MATERIALIZED (
     SELECT a.account_created_at AS at, a.external_account_number, 'account.imported' AS type, NULL::uuid AS import_request_id
       FROM {account_import a}
      WHERE a.import_supplier_id = :import_supplier_id AND a.status = 'imported' AND ${isMissing('a', `'account.imported'`)}
     UNION ALL
     SELECT r.stored_at, r.external_account_number, r.kind || '.added', r.id
       FROM {import_request r}
      WHERE r.import_supplier_id = :import_supplier_id AND ${isMissing('r', `r.kind || '.added'`, 'r.id')}
     UNION ALL
     SELECT r.undone_at, r.external_account_number, 'import.undone', r.id
       FROM {import_request r}
      WHERE r.import_supplier_id = :import_supplier_id AND r.undone_at IS NOT NULL AND ${isMissing('r', `'import.undone'`, 'r.id')}
   )`;

const COMPARED = `
   SELECT (SELECT count(*)::float8 FROM {feed_change c} WHERE c.import_supplier_id = :import_supplier_id) AS changes,
          coalesce((SELECT f.last_sequence::float8 FROM {feed f} WHERE f.import_supplier_id = :import_supplier_id), 0) AS "lastSequence",
          (SELECT count(*)::float8 FROM missing) AS missing`;

const CHECK = query<FeedCheck>('feed.check', `WITH ${MISSING} ${COMPARED} WHERE {placed}`);

/** The time is that of the rows: an erasure finds the change by it. */
const REPAIR = query<FeedCheck>(
  'feed.repair',
  `WITH ${MISSING},
   recorded AS (
     INSERT INTO {supplier_change} (import_supplier_id, at, external_account_number, type, import_request_id)
     SELECT :import_supplier_id, m.at, m.external_account_number, m.type, m.import_request_id
       FROM missing m
   ) ${COMPARED} WHERE {held}`,
);

@Injectable()
export class FeedCheckRepository {
  check(tx: Tx, importSupplierId: number): Promise<FeedCheck> {
    return runForOne(tx, CHECK, { import_supplier_id: importSupplierId });
  }

  /** {@link check}, and record what is missing, to be numbered. @param tx the transaction that holds the lock of the feed */
  repair(tx: Tx, importSupplierId: number): Promise<FeedCheck> {
    return runForOne(tx, REPAIR, { import_supplier_id: importSupplierId });
  }
}
