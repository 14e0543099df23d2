import { Injectable } from '@nestjs/common';
import { query, run, runForOne, type QueryParameters } from '../../../infrastructure/database/query.js';
import type { Tx } from '../../../infrastructure/database/unit-of-work.js';
import { Columns } from '../../../ingest/item-columns.js';
import type { Refusal } from './refusal.types.js';

/** How many of the newest refusals of an organisation at a supplier are kept. Older refusals are removed whatever their age. */
const KEPT_MAX = 100_000;
/** The most rows that one removal deletes for each reason. */
const REMOVED_MAX = 1_000;

/** A refusal that was recorded. */
interface RecordedRefusal {
  readonly id: string;
  readonly external_account_number: string;
}

const COLUMNS = new Columns<Refusal>('item', {
  id: { type: 'uuid', read: ({ id }) => id },
  organisation_id: { type: 'uuid', read: ({ organisationId }) => organisationId },
  api_key_id: { type: 'uuid', read: ({ apiKeyId }) => apiKeyId },
  request_id: { type: 'text', read: ({ requestId }) => requestId },
  trace_id: { type: 'uuid', read: ({ traceId }) => traceId },
  kind: { type: 'text', read: ({ kind }) => kind },
  external_account_number: { type: 'text', read: ({ externalAccountNumber }) => externalAccountNumber },
  status: { type: 'smallint', read: ({ status }) => status },
  code: { type: 'text', read: ({ code }) => code },
  attr: { type: 'text', read: ({ attr }) => attr },
  field_code: { type: 'text', read: ({ fieldCode }) => fieldCode },
  value: { type: 'text', read: ({ value }) => value },
  items: { type: 'jsonb', read: ({ items }) => items },
  is_dry_run: { type: 'boolean', read: ({ isDryRun }) => isDryRun },
});

/**
 * Skips a refusal whose supplier is not granted to the organisation, because nobody may write into the history of another's
 * accounts (choice A8), and a refusal of what is being erased. A refusal that is sent again is recorded once.
 */
const RECORD = query<RecordedRefusal>(
  'imports.record_refusals',
  `INSERT INTO import_refusal (import_supplier_id, external_account_number, id, at, kind, organisation_id, api_key_id, request_id,
                               trace_id, status, code, attr, field_code, value, items, is_dry_run)
   SELECT :import_supplier_id, sent.external_account_number, sent.id, uuid_extract_timestamp(sent.id), sent.kind,
          sent.organisation_id, sent.api_key_id, sent.request_id, sent.trace_id, sent.status, sent.code, sent.attr, sent.field_code, sent.value,
          sent.items, sent.is_dry_run
     FROM (SELECT ${COLUMNS.unnested}) AS sent
    WHERE ( SELECT 1
              FROM import_supplier_grant g
             WHERE g.import_supplier_id = :import_supplier_id AND g.organisation_id = sent.organisation_id
             LIMIT 1
          ) IS NOT NULL
      AND ( SELECT 1
              FROM erasure e
             WHERE e.import_supplier_id = :import_supplier_id
               AND (e.external_account_number = sent.external_account_number OR e.external_account_number IS NULL)
             LIMIT 1
          ) IS NULL
       ON CONFLICT DO NOTHING
   RETURNING id, external_account_number`,
);

/** SQL: whether an erasure of a number was recorded after the refusal `recorded`, by the clock of the database. @param number SQL */
const isErased = (action: string, number: string): string => `EXISTS (
             SELECT
               FROM audit_entry e
              WHERE e.import_supplier = :import_supplier AND e.external_account_number ${number} AND e.action = '${action}'
                AND e.at > now() - (:now::timestamptz - uuid_extract_timestamp(recorded.id)))`;

/** A separate query, because on several nodes the audit entries are on none of the suppliers' nodes. */
const ERASED = query<RecordedRefusal>(
  'imports.erased_refusals',
  `SELECT recorded.id, recorded.external_account_number
     FROM unnest(:ids::uuid[], :account_numbers::text[]) AS recorded (id, external_account_number)
     WHERE ${isErased('account.erase', '= recorded.external_account_number')}
       OR ${isErased('supplier.erase', 'IS NULL')}`,
);

const REMOVE_ERASED = query<never>(
  'imports.remove_erased_refusals',
  `DELETE FROM import_refusal
    WHERE import_supplier_id = :import_supplier_id AND external_account_number = ANY (:account_numbers::text[])
      AND id = ANY (:ids::uuid[])`,
);

/**
 * Removes refusals that are too old, and those beyond the newest of their organisation, so that requests of one
 * organisation never remove refusals of another. An organisation whose grant was revoked gets no new refusals. Rows are
 * addressed by ctid, which cannot change while they are locked.
 */
const REMOVE = query<{ count: number }>(
  'imports.remove_refusals',
  `WITH bound AS MATERIALIZED (
    SELECT g.organisation_id, newest.at
      FROM import_supplier_grant g
     CROSS JOIN LATERAL (
             SELECT kept.at
               FROM import_refusal kept
              WHERE kept.import_supplier_id = :import_supplier_id AND kept.organisation_id = g.organisation_id
              ORDER BY kept.at DESC
             OFFSET ${KEPT_MAX}
              LIMIT 1
           ) AS newest
     WHERE g.import_supplier_id = :import_supplier_id
  ),
  removed AS (
    DELETE FROM import_refusal r
     WHERE r.import_supplier_id = :import_supplier_id
       AND r.ctid = ANY (ARRAY(
             SELECT oldest.ctid
               FROM import_refusal oldest
              WHERE oldest.import_supplier_id = :import_supplier_id
                AND oldest.at <= now() - make_interval(days => :days::integer)
              ORDER BY oldest.at
              LIMIT ${REMOVED_MAX}
                FOR UPDATE SKIP LOCKED
           ) || ARRAY(
             SELECT beyond.ctid
               FROM bound
               JOIN import_refusal beyond
                 ON beyond.import_supplier_id = :import_supplier_id
                AND beyond.organisation_id = bound.organisation_id
                AND beyond.at <= bound.at
              LIMIT ${REMOVED_MAX}
                FOR UPDATE OF beyond SKIP LOCKED
           ))
    RETURNING r.id
  )
  SELECT count(*)::integer AS count FROM removed`,
);

@Injectable()
export class RefusalsRepository {
  /**
   * Record refusals, except those whose account or whole supplier was erased while they waited. An erasure that begins
   * later waits for this transaction, which has locked the table for writing before it looks, and then removes what was
   * stored.
   *
   * @param refusals of one supplier
   * @param importSupplier its code
   * @param now by the clock of the refusals, after the transaction has begun
   * @returns how many were recorded
   */
  async insert(
    tx: Tx,
    importSupplierId: number,
    refusals: readonly Refusal[],
    { importSupplier, now }: { readonly importSupplier: string; readonly now: Date },
  ): Promise<number> {
    const supplier = { import_supplier_id: importSupplierId };
    const recorded = await run(tx, RECORD, { ...supplier, ...COLUMNS.values(refusals) });
    const erased = await run(tx, ERASED, {
      ...keysOf(recorded),
      import_supplier: importSupplier,
      now: now.toISOString(),
    });
    if (erased.length > 0) await run(tx, REMOVE_ERASED, { ...supplier, ...keysOf(erased) });
    return recorded.length - erased.length;
  }

  /**
   * Remove refusals of a supplier that are older than `days` days, or not among the newest of their organisation.
   *
   * @returns how many were removed; 0 when none is left except those that another process is removing
   */
  async remove(tx: Tx, importSupplierId: number, days: number): Promise<number> {
    return (await runForOne(tx, REMOVE, { import_supplier_id: importSupplierId, days })).count;
  }
}

function keysOf(refusals: readonly RecordedRefusal[]): QueryParameters {
  return {
    ids: refusals.map(({ id }) => id),
    account_numbers: refusals.map(({ external_account_number }) => external_account_number),
  };
}
