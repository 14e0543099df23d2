import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { ApiKey } from '../../auth/api-key.entity.js';
import { query, run } from '../../database/query.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { RecentRequest } from './requests.types.js';
import type { ImportKind } from '../../items/items.js';

interface RequestRow {
  readonly id: string;
  readonly at: Date;
  readonly kind: ImportKind;
  readonly external_account_number: string;
  readonly request_id: string;
  readonly api_key_id: string;
  readonly items: number | null;
  /** Null of a refusal, as is the duration. */
  readonly stored: number | null;
  readonly duration_ms: number | null;
  readonly undone_at: Date | null;
  readonly status: number | null;
  readonly code: string | null;
  readonly field_code: string | null;
  readonly attr: string | null;
  readonly is_dry_run: boolean | null;
}

/** Each part reads by its index as many rows as it returns at most. */
const NEWEST = query<RequestRow>(
  'console.newest_requests',
  `SELECT newest.*
     FROM (
       (SELECT r.id, r.stored_at AS at, r.kind, r.external_account_number, r.request_id, r.api_key_id, r.items, r.stored,
               r.duration_ms, r.undone_at, NULL::smallint AS status, NULL::text AS code, NULL::text AS field_code, NULL::text AS attr,
               NULL::boolean AS is_dry_run
          FROM import_request r
         WHERE r.import_supplier_id = :import_supplier_id AND r.stored_at > :since::timestamptz
         ORDER BY r.stored_at DESC
         LIMIT :count_max::integer)
       UNION ALL
       (SELECT f.id, f.at, f.kind, f.external_account_number, f.request_id, f.api_key_id, NULL, NULL, NULL, NULL, f.status, f.code,
               f.field_code, f.attr, f.is_dry_run
          FROM import_refusal f
         WHERE f.import_supplier_id = :import_supplier_id AND f.at > :since::timestamptz
         ORDER BY f.at DESC
         LIMIT :count_max::integer)
     ) AS newest
    ORDER BY newest.at DESC, newest.id DESC
    LIMIT :count_max::integer`,
);

/** An organisation that owns a key. */
export interface KeyOwner {
  readonly id: string;
  readonly name: string;
}

@Injectable()
export class RequestsRepository {
  /** The newest import requests and refusals of a supplier, newest first. @param since those are not needed, nor older ones */
  async newest(
    tx: Tx,
    importSupplierId: number,
    since: Date | undefined,
    countMax: number,
  ): Promise<RecentRequest[]> {
    const rows = await run(tx, NEWEST, {
      import_supplier_id: importSupplierId,
      since: since?.toISOString() ?? '-infinity',
      count_max: countMax,
    });
    return rows.map(toRequest);
  }

  /** The organisations of keys, by the ids of the keys. */
  async ownersOf(tx: Tx, apiKeyIds: readonly string[]): Promise<Map<string, KeyOwner>> {
    const keys = await tx.find(ApiKey, {
      where: { id: In([...new Set(apiKeyIds)]) },
      relations: { organisation: true },
    });
    return new Map(keys.map(({ id, organisation }) => [id, organisation]));
  }
}

function toRequest(row: RequestRow): RecentRequest {
  const request = {
    id: row.id,
    at: row.at,
    kind: row.kind,
    externalAccountNumber: row.external_account_number,
    requestId: row.request_id,
    apiKeyId: row.api_key_id,
  };
  const { items, stored, status } = row;
  if (status !== null) {
    const { code, field_code: fieldCode, attr, is_dry_run } = row;
    return {
      ...request,
      outcome: 'refused',
      status,
      code: code ?? '',
      fieldCode,
      attr,
      isDryRun: is_dry_run === true,
    };
  }
  const count = stored ?? 0;
  const outcome = items !== null && items > count ? 'stored_partly' : 'stored';
  return {
    ...request,
    ...{ outcome, items, stored: count, durationMs: row.duration_ms, undoneAt: row.undone_at },
  };
}
