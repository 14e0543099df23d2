import { Injectable } from '@nestjs/common';
import { ApiKey } from '../../auth/api-key.entity.js';
import type { ErrorCode, FieldErrorCode } from '../../common/errors.js';
import { query, run } from '../../database/query.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { RefusedValue } from './failures.types.js';
import type { ImportKind } from '../../items/items.js';

/** Groups, values and requests that a page shows at most. */
const GROUPS_MAX = 100;
const VALUES_MAX = 5;
const SAMPLES_MAX = 5;

export interface RefusalGroupRow {
  readonly cause: string;
  readonly kind: ImportKind;
  readonly status: number;
  readonly code: ErrorCode;
  readonly field_code: FieldErrorCode | null;
  readonly field: string | null;
  readonly is_dry_run: boolean;
  readonly count: number;
  readonly first_at: Date;
  readonly last_at: Date;
  readonly refused_values: readonly RefusedValue[] | null;
  readonly samples: readonly SampleRow[];
  /** Of all groups. */
  readonly count_of_all: number;
  readonly group_count: number;
}

interface SampleRow {
  readonly request_id: string;
  readonly api_key_id: string;
  readonly external_account_number: string;
}

export interface RefusedAccountRow {
  readonly external_account_number: string;
  readonly count: number;
  readonly first_at: Date;
  readonly last_at: Date;
}

/** A refusal as it is downloaded. */
export interface RefusalRow extends SampleRow {
  readonly id: string;
  readonly at: Date;
  /** `at` as PostgreSQL writes it, because a Date has no microseconds. */
  readonly exact_at: string;
  readonly kind: string;
  readonly status: number;
  readonly code: string;
  readonly field_code: string | null;
  readonly attr: string | null;
  readonly value: string | null;
  readonly is_dry_run: boolean;
}

/** Which refusals of a supplier. */
export interface RefusalFilter {
  readonly since: Date;
  /** One group; undefined for all. */
  readonly cause: string | undefined;
}

/**
 * SQL for the refusals of the group `shown`, which is planned by itself: with the time or the order of the query around it the planner
 * might read all refusals of the supplier for each group, newest first, until it finds those of the group.
 */
const OF_GROUP = `(
                     SELECT r.external_account_number, r.id, r.at, r.value
                       FROM import_refusal r
                      WHERE r.import_supplier_id = :import_supplier_id AND r.cause = shown.cause
                     OFFSET 0
                   ) AS g`;

/** Everything that is counted comes from the index import_refusal_cause; the rest is read of the newest requests of a group. */
const GROUPS = query<RefusalGroupRow>(
  'console.refusal_groups',
  `WITH counted AS MATERIALIZED (
     SELECT r.cause, count(*)::integer AS count, min(r.at) AS first_at, max(r.at) AS last_at
       FROM import_refusal r
      WHERE r.import_supplier_id = :import_supplier_id
        AND r.at >= :since::timestamptz
        AND (:cause::bigint IS NULL OR r.cause = :cause)
      GROUP BY r.cause
   ),
   shown AS MATERIALIZED (
     SELECT c.*
       FROM counted c
      ORDER BY c.count DESC, c.last_at DESC, c.cause
      LIMIT ${GROUPS_MAX}
   )
   SELECT shown.*, newest.*, commonest.refused_values,
          (SELECT sum(c.count)::integer FROM counted c) AS count_of_all,
          (SELECT count(*)::integer FROM counted c) AS group_count
     FROM shown
    CROSS JOIN LATERAL (
            SELECT json_agg(json_build_object('request_id', r.request_id, 'api_key_id', r.api_key_id,
                                              'external_account_number', r.external_account_number) ORDER BY n.at DESC, n.id DESC)
                     AS samples,
                   min(r.kind) AS kind, min(r.status) AS status, min(r.code) AS code, min(r.field_code) AS field_code,
                   min(r.field) AS field, bool_and(r.is_dry_run) AS is_dry_run
              FROM (
                     SELECT g.external_account_number, g.id, g.at
                       FROM ${OF_GROUP}
                      WHERE g.at >= :since::timestamptz
                      ORDER BY g.at DESC, g.id DESC
                      LIMIT ${SAMPLES_MAX}
                   ) AS n
              JOIN import_refusal r
                ON r.import_supplier_id = :import_supplier_id
               AND r.external_account_number = n.external_account_number
               AND r.id = n.id
          ) AS newest
    CROSS JOIN LATERAL (
            SELECT json_agg(json_build_object('value', v.value, 'count', v.count) ORDER BY v.count DESC, v.value) AS refused_values
              FROM (
                     SELECT g.value, count(*) AS count
                       FROM ${OF_GROUP}
                      WHERE g.at >= :since::timestamptz AND g.value IS NOT NULL
                      GROUP BY g.value
                      ORDER BY count(*) DESC, g.value
                      LIMIT ${VALUES_MAX}
                   ) AS v
             WHERE newest.field_code = 'invalid_choice'
          ) AS commonest
    ORDER BY shown.count DESC, shown.last_at DESC, shown.cause`,
);

const ACCOUNTS = query<RefusedAccountRow>(
  'console.refused_accounts',
  `SELECT r.external_account_number, count(*)::integer AS count, min(r.at) AS first_at, max(r.at) AS last_at
     FROM import_refusal r
    WHERE r.import_supplier_id = :import_supplier_id
      AND r.cause = :cause
      AND r.external_account_number >= :from
      AND r.at >= :since::timestamptz
    GROUP BY r.external_account_number
    ORDER BY r.external_account_number
    LIMIT :count_max::integer`,
);

const NEWEST = query<RefusalRow>(
  'console.list_refusals',
  `SELECT r.id, r.at, r.at::text AS exact_at, r.kind, r.status, r.code, r.field_code, r.attr, r.value, r.is_dry_run,
          r.external_account_number, r.request_id, r.api_key_id
     FROM import_refusal r
    WHERE r.import_supplier_id = :import_supplier_id
      AND r.at BETWEEN :since::timestamptz AND :before_at::timestamptz
      AND (r.at, r.id) < (:before_at::timestamptz, :before_id::uuid)
      AND (:cause::bigint IS NULL OR r.cause = :cause)
    ORDER BY r.at DESC, r.id DESC
    LIMIT :count_max::integer`,
);

@Injectable()
export class RefusalGroupsRepository {
  /** The largest groups first. */
  listGroups(tx: Tx, importSupplierId: number, { since, cause }: RefusalFilter): Promise<RefusalGroupRow[]> {
    return run(tx, GROUPS, { import_supplier_id: importSupplierId, since, cause: cause ?? null });
  }

  /** The accounts of a group in the order of their numbers. @param from the first number */
  listAccounts(
    tx: Tx,
    importSupplierId: number,
    { since, cause }: RefusalFilter,
    from: string,
    countMax: number,
  ): Promise<RefusedAccountRow[]> {
    return run(tx, ACCOUNTS, {
      ...{ import_supplier_id: importSupplierId, since, cause, from },
      count_max: countMax,
    });
  }

  /** Refusals, newest first. @param before the one after which they begin */
  list(
    tx: Tx,
    importSupplierId: number,
    { since, cause }: RefusalFilter,
    before: Pick<RefusalRow, 'id' | 'exact_at'> | undefined,
    countMax: number,
  ): Promise<RefusalRow[]> {
    return run(tx, NEWEST, {
      ...{ import_supplier_id: importSupplierId, since, cause: cause ?? null },
      before_at: before?.exact_at ?? 'infinity',
      before_id: before?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      count_max: countMax,
    });
  }

  /** The ids of the API keys of an organisation. */
  async listKeys(tx: Tx, organisationId: string): Promise<string[]> {
    const keys = await tx.find(ApiKey, { select: { id: true }, where: { organisationId } });
    return keys.map(({ id }) => id);
  }
}
