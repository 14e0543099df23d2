import { Injectable } from '@nestjs/common';
import { query, run } from '../../database/query.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { RecentRequest } from './requests.types.js';

/** Each part reads by its index as many rows as it returns at most. */
const NEWEST = query<RecentRequest>(
  'console.newest_requests',
  `SELECT newest.*
     FROM (
       (SELECT r.id, r.stored_at AS at, r.kind, r.external_account_number AS "externalAccountNumber", r.request_id AS "requestId",
               r.api_key_id AS "apiKeyId", r.items, r.stored, r.duration_ms AS "durationMs", r.undone_at AS "undoneAt",
               NULL::smallint AS status, NULL::text AS code, NULL::text AS "fieldCode", NULL::text AS attr, false AS "isDryRun"
          FROM import_request r
         WHERE r.import_supplier_id = :import_supplier_id AND r.stored_at > :since::timestamptz
         ORDER BY r.stored_at DESC
         LIMIT :count_max::integer)
       UNION ALL
       (SELECT f.id, f.at, f.kind, f.external_account_number, f.request_id, f.api_key_id, NULL, 0, NULL, NULL, f.status, f.code,
               f.field_code, f.attr, f.is_dry_run
          FROM import_refusal f
         WHERE f.import_supplier_id = :import_supplier_id AND f.at > :since::timestamptz
         ORDER BY f.at DESC
         LIMIT :count_max::integer)
     ) AS newest
    ORDER BY newest.at DESC, newest.id DESC
    LIMIT :count_max::integer`,
);

@Injectable()
export class RequestsRepository {
  /** The newest import requests and refusals of a supplier, newest first. @param since those are not needed, nor older ones */
  newest(
    tx: Tx,
    importSupplierId: number,
    since: Date | undefined,
    countMax: number,
  ): Promise<RecentRequest[]> {
    return run(tx, NEWEST, {
      import_supplier_id: importSupplierId,
      since: since?.toISOString() ?? '-infinity',
      count_max: countMax,
    });
  }
}
