import { Injectable } from '@nestjs/common';
import { query, run } from '../../database/query.js';
import type { Tx } from '../../database/unit-of-work.js';
import {
  CAUSES_MAX,
  SAMPLES_MAX,
  type CauseRow,
  type FailedAccount,
  type FailureFilter,
  type FailureRecord,
  type FailureSource,
} from './failures.types.js';

/** Values of a cause that a page shows at most. */
const VALUES_MAX = 5;

/** A refusal as it is downloaded. */
type RefusalRow = FailureRecord & {
  readonly id: string;
  /** `at` as PostgreSQL writes it, because a Date has no microseconds. */
  readonly exact_at: string;
};

/**
 * SQL for the refusals of the cause `shown`, which is planned by itself: with the time or the order of the query around it the planner
 * might read all refusals of the supplier for each cause, newest first, until it finds those of the cause.
 */
const REFUSALS_OF_CAUSE = `(
                     SELECT r.external_account_number, r.id, r.at, r.value
                       FROM import_refusal r
                      WHERE r.import_supplier_id = :import_supplier_id AND r.cause = shown.cause
                     OFFSET 0
                   ) AS g`;

/** Everything that is counted comes from the index import_refusal_cause; the rest is read of the newest requests of a cause. */
const CAUSES = query<CauseRow>(
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
      LIMIT ${CAUSES_MAX}
   )
   SELECT shown.cause, shown.count, shown.first_at AS "firstAt", shown.last_at AS "lastAt", newest.refusal, newest.samples,
          commonest.refused_values AS values,
          (SELECT sum(c.count)::integer FROM counted c) AS "countOfAll",
          (SELECT count(*)::integer FROM counted c) AS "causeCount"
     FROM shown
    CROSS JOIN LATERAL (
            SELECT json_agg(json_build_object('requestId', r.request_id, 'apiKeyId', r.api_key_id,
                                              'externalAccountNumber', r.external_account_number) ORDER BY n.at DESC, n.id DESC)
                     AS samples,
                   json_build_object('kind', min(r.kind), 'status', min(r.status), 'code', min(r.code), 'fieldCode', min(r.field_code),
                                     'field', min(r.field), 'isDryRun', bool_and(r.is_dry_run)) AS refusal
              FROM (
                     SELECT g.external_account_number, g.id, g.at
                       FROM ${REFUSALS_OF_CAUSE}
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
                       FROM ${REFUSALS_OF_CAUSE}
                      WHERE g.at >= :since::timestamptz AND g.value IS NOT NULL
                      GROUP BY g.value
                      ORDER BY count(*) DESC, g.value
                      LIMIT ${VALUES_MAX}
                   ) AS v
             WHERE newest.refusal ->> 'fieldCode' = 'invalid_choice'
          ) AS commonest
    ORDER BY shown.count DESC, shown.last_at DESC, shown.cause`,
);

const ACCOUNTS = query<FailedAccount>(
  'console.refused_accounts',
  `SELECT r.external_account_number AS "externalAccountNumber", count(*)::integer AS count, min(r.at) AS "firstAt",
          max(r.at) AS "lastAt", NULL AS failure
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
  `SELECT r.id, r.at, r.at::text AS exact_at, r.kind, r.status, r.code, r.field_code, r.attr, r.value, r.is_dry_run AS dry_run,
          r.external_account_number, r.request_id, r.api_key_id
     FROM import_refusal r
    WHERE r.import_supplier_id = :import_supplier_id
      AND r.at BETWEEN :since::timestamptz AND :before_at::timestamptz
      AND (r.at, r.id) < (:before_at::timestamptz, :before_id::uuid)
      AND (:cause::bigint IS NULL OR r.cause = :cause)
    ORDER BY r.at DESC, r.id DESC
    LIMIT :count_max::integer`,
);

/** Requests that were refused. */
@Injectable()
export class RefusalsRepository implements FailureSource<RefusalRow> {
  readonly fileName = 'refused-requests.csv';
  readonly columns = [
    ...['at', 'kind', 'status', 'code', 'field_code', 'attr', 'value', 'dry_run', 'external_account_number'],
    'request_id',
  ];

  listCauses(tx: Tx, filter: FailureFilter): Promise<CauseRow[]> {
    return run(tx, CAUSES, { ...filter });
  }

  listAccounts(tx: Tx, filter: FailureFilter, from: string, countMax: number): Promise<FailedAccount[]> {
    return run(tx, ACCOUNTS, { ...filter, from, count_max: countMax });
  }

  /** Newest first. */
  listRecords(
    tx: Tx,
    filter: FailureFilter,
    after: RefusalRow | undefined,
    countMax: number,
  ): Promise<RefusalRow[]> {
    const before = {
      before_at: after?.exact_at ?? 'infinity',
      before_id: after?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    };
    return run(tx, NEWEST, { ...filter, ...before, count_max: countMax });
  }
}
