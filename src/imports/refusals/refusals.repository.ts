import { Injectable } from '@nestjs/common';
import { query, run, runForOne } from '../../database/query.js';
import type { Tx } from '../../database/unit-of-work.js';
import { Columns } from '../item-columns.js';
import type { Refusal } from './refusal.types.js';

/** Newest refusals of a supplier that are kept, whatever their age. */
const KEPT_MAX = 100_000;
/** Rows that one removal deletes at most. */
const REMOVED_MAX = 1_000;

const COLUMNS = new Columns<Refusal>('item', {
  id: { type: 'uuid', read: ({ id }) => id },
  organisation_id: { type: 'uuid', read: ({ organisationId }) => organisationId },
  api_key_id: { type: 'uuid', read: ({ apiKeyId }) => apiKeyId },
  request_id: { type: 'text', read: ({ requestId }) => requestId },
  kind: { type: 'text', read: ({ kind }) => kind },
  import_supplier: { type: 'text', read: ({ importSupplier }) => importSupplier },
  external_account_number: { type: 'text', read: ({ externalAccountNumber }) => externalAccountNumber },
  status: { type: 'smallint', read: ({ status }) => status },
  code: { type: 'text', read: ({ code }) => code },
  attr: { type: 'text', read: ({ attr }) => attr },
  field_code: { type: 'text', read: ({ fieldCode }) => fieldCode },
  is_dry_run: { type: 'boolean', read: ({ isDryRun }) => isDryRun },
});

/** How many refusals of a supplier were recorded. */
export interface RecordedRefusals {
  readonly import_supplier_id: number;
  readonly count: number;
}

/**
 * A refusal whose supplier does not exist, or is not granted to the organisation, is left out: nobody writes into the
 * history of another's accounts (choice A8). A refusal that is sent again is recorded once.
 */
const RECORD = query<RecordedRefusals>(
  'imports.record_refusals',
  `WITH recorded AS (
    INSERT INTO import_refusal (import_supplier_id, external_account_number, id, at, kind, api_key_id, request_id, status, code,
                                attr, field_code, is_dry_run)
    SELECT s.id, sent.external_account_number, sent.id, uuid_extract_timestamp(sent.id), sent.kind, sent.api_key_id,
           sent.request_id, sent.status, sent.code, sent.attr, sent.field_code, sent.is_dry_run
      FROM unnest(${COLUMNS.parameters}) AS sent (${COLUMNS.list})
      JOIN import_supplier s ON s.code = sent.import_supplier
      JOIN import_supplier_grant g ON g.import_supplier_id = s.id AND g.organisation_id = sent.organisation_id
        ON CONFLICT DO NOTHING
    RETURNING import_supplier_id
  )
  SELECT import_supplier_id, count(*)::integer AS count FROM recorded GROUP BY import_supplier_id`,
);

/**
 * The newest of what is removed of a supplier is the first beyond the bound, or the last that is too old. The rows are found
 * again by their places, which are theirs while they are locked.
 */
const REMOVE = query<{ count: number }>(
  'imports.remove_refusals',
  `WITH removable AS MATERIALIZED (
    SELECT oldest.place
      FROM import_supplier s
     CROSS JOIN LATERAL (
             SELECT greatest(now() - make_interval(days => :days::integer), (
                      SELECT r.at
                        FROM import_refusal r
                       WHERE r.import_supplier_id = s.id
                       ORDER BY r.at DESC
                      OFFSET ${KEPT_MAX}
                       LIMIT 1
                    )) OFFSET 0
           ) AS bound (at)
     CROSS JOIN LATERAL (
             SELECT r.ctid AS place
               FROM import_refusal r
              WHERE r.import_supplier_id = s.id AND r.at <= bound.at
              ORDER BY r.at
              LIMIT ${REMOVED_MAX}
                FOR UPDATE SKIP LOCKED
           ) AS oldest
     WHERE :import_supplier_id::integer IS NULL OR s.id = :import_supplier_id::integer
     LIMIT ${REMOVED_MAX}
  ),
  removed AS (
    DELETE FROM import_refusal r
     WHERE r.ctid = ANY (ARRAY(SELECT removable.place FROM removable))
    RETURNING r.id
  )
  SELECT count(*)::integer AS count FROM removed`,
);

@Injectable()
export class RefusalsRepository {
  /** @returns one row for each supplier */
  insert(tx: Tx, refusals: readonly Refusal[]): Promise<RecordedRefusals[]> {
    return run(tx, RECORD, COLUMNS.values(refusals));
  }

  /**
   * Remove the oldest refusals that are older than so many days, or not among the newest of their supplier.
   *
   * @param importSupplierId all suppliers by default
   * @returns how many were removed; 0 when there are no more, but for those that another process is removing
   */
  async remove(tx: Tx, days: number, importSupplierId: number | null = null): Promise<number> {
    const { count } = await runForOne(tx, REMOVE, { days, import_supplier_id: importSupplierId });
    return count;
  }
}
