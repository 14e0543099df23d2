import { Injectable } from '@nestjs/common';
import { query, run } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import { isOwn, type OwnApiKeyIds } from './own.js';
import type {
  OthersRefusals,
  RefusalCauseRow,
  RefusalCursor,
  RefusalFilter,
  RefusalRecord,
  RefusedAccount,
} from './refusals.types.js';

/** Causes that a page shows at most, and refusals of each of them. */
const CAUSES_MAX = 100;
const SAMPLES_MAX = 5;
/** Values of a cause that a page shows at most. */
const VALUES_MAX = 5;

/**
 * SQL for the own refusals of the cause `shown`, which is planned by itself: with the time or the order of the query around it the
 * planner might read all refusals of the supplier for each cause, newest first, until it finds those of the cause.
 */
const REFUSALS_OF_CAUSE = `(
                     SELECT r.external_account_number, r.id, r.at, r.value
                       FROM {import_refusal r}
                      WHERE r.import_supplier_id = :import_supplier_id AND r.cause = shown.cause AND ${isOwn('r')}
                     OFFSET 0
                   ) AS g`;

/** Everything that is counted comes from the index import_refusal_cause; the rest is read of the newest requests of a cause. */
const CAUSES = query<RefusalCauseRow>(
  'sent_requests.refusal_causes',
  `WITH counted AS MATERIALIZED (
     SELECT r.cause, count(*)::integer AS count, min(r.at) AS first_at, max(r.at) AS last_at
       FROM {import_refusal r}
      WHERE r.import_supplier_id = :import_supplier_id
        AND r.at >= :since::timestamptz
        AND (:cause::bigint IS NULL OR r.cause = :cause)
        AND ${isOwn('r')}
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
            SELECT json_agg(json_build_object('requestId', r.request_id, 'externalAccountNumber', r.external_account_number,
                                              'unknownField', CASE WHEN r.field_code = 'unexpected_field' THEN r.attr END)
                            ORDER BY n.at DESC, n.id DESC) AS samples,
                   json_build_object('kind', min(r.kind), 'status', min(r.status), 'code', min(r.code), 'fieldCode', min(r.field_code),
                                     'field', min(r.field), 'isDryRun', bool_and(r.is_dry_run)) AS refusal
              FROM (
                     SELECT g.external_account_number, g.id, g.at
                       FROM ${REFUSALS_OF_CAUSE}
                      WHERE g.at >= :since::timestamptz
                      ORDER BY g.at DESC, g.id DESC
                      LIMIT ${SAMPLES_MAX}
                   ) AS n
              JOIN {import_refusal r}
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
    WHERE {placed}
    ORDER BY shown.count DESC, shown.last_at DESC, shown.cause`,
);

const ACCOUNTS = query<RefusedAccount>(
  'sent_requests.refused_accounts',
  `SELECT r.external_account_number AS "externalAccountNumber", count(*)::integer AS count, min(r.at) AS "firstAt",
          max(r.at) AS "lastAt"
     FROM {import_refusal r}
    WHERE r.import_supplier_id = :import_supplier_id
      AND {placed}
      AND r.cause = :cause
      AND r.external_account_number >= :from
      AND r.at >= :since::timestamptz
      AND ${isOwn('r')}
    GROUP BY r.external_account_number
    ORDER BY r.external_account_number
    LIMIT :count_max::integer`,
);

/** Of a cause only the own ones: another organisation's have none that is known. */
const NEWEST = query<RefusalRecord>(
  'sent_requests.refusals',
  `SELECT r.id, r.at, r.at::text AS exact_at, r.kind, r.status,
          CASE WHEN ${isOwn('r')} THEN json_build_object(
            'code', r.code, 'field_code', r.field_code, 'attr', r.attr, 'value', r.value, 'dry_run', r.is_dry_run,
            'external_account_number', r.external_account_number, 'request_id', r.request_id) END AS details
     FROM {import_refusal r}
    WHERE r.import_supplier_id = :import_supplier_id
      AND {placed}
      AND r.at BETWEEN :since::timestamptz AND :before_at::timestamptz
      AND (r.at, r.id) < (:before_at::timestamptz, :before_id::uuid)
      AND (:cause::bigint IS NULL OR r.cause = :cause AND ${isOwn('r')})
    ORDER BY r.at DESC, r.id DESC
    LIMIT :count_max::integer`,
);

const OF_OTHERS = query<OthersRefusals>(
  'sent_requests.refusals_of_others',
  `SELECT r.kind, r.status, count(*)::integer AS count, min(r.at) AS "firstAt", max(r.at) AS "lastAt"
     FROM {import_refusal r}
    WHERE r.import_supplier_id = :import_supplier_id AND r.at >= :since::timestamptz AND NOT ${isOwn('r')}
      AND {placed}
    GROUP BY r.kind, r.status
    ORDER BY count(*) DESC, r.kind, r.status`,
);

/** Requests that were refused. */
@Injectable()
export class RefusalsRepository {
  /** The commonest causes first. */
  listCauses(tx: Tx, ownApiKeyIds: OwnApiKeyIds, filter: RefusalFilter): Promise<RefusalCauseRow[]> {
    return run(tx, CAUSES, { ...filter, own_api_key_ids: ownApiKeyIds });
  }

  /** The accounts of a cause in the order of their numbers. @param from the first number */
  listAccounts(
    tx: Tx,
    ownApiKeyIds: OwnApiKeyIds,
    filter: RefusalFilter,
    from: string,
    countMax: number,
  ): Promise<RefusedAccount[]> {
    return run(tx, ACCOUNTS, { ...filter, own_api_key_ids: ownApiKeyIds, from, count_max: countMax });
  }

  /** Newest first. @param after the one after which they begin */
  listRecords(
    tx: Tx,
    ownApiKeyIds: OwnApiKeyIds,
    filter: RefusalFilter,
    after: RefusalCursor | undefined,
    countMax: number,
  ): Promise<RefusalRecord[]> {
    return run(tx, NEWEST, {
      ...filter,
      own_api_key_ids: ownApiKeyIds,
      before_at: after?.exact_at ?? 'infinity',
      before_id: after?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      count_max: countMax,
    });
  }

  /** How many other organisations have, the most first. */
  countOfOthers(tx: Tx, ownApiKeyIds: OwnApiKeyIds, filter: RefusalFilter): Promise<OthersRefusals[]> {
    return run(tx, OF_OTHERS, { ...filter, own_api_key_ids: ownApiKeyIds });
  }
}
