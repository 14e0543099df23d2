import { accountState } from '../../../accounts/status/account-state.js';
import { query } from '../../../infrastructure/database/query.js';
import { IMPORT_KINDS } from '../../../infrastructure/item-names/item-names.js';
import { countCauses } from './counted-causes.js';
import { isOwn } from './own.js';
import {
  NOT_IMPORTED,
  type OthersRefusals,
  type RefusalCause,
  type RefusalExamples,
  type RefusalRecord,
  type RefusedAccount,
  type RefusedAccountStates,
} from './refusals.types.js';

/** The most refusals and values of a cause that a page shows. */
const SAMPLES_MAX = 5;
const VALUES_MAX = 5;

/** SQL: the stored causes of requests for accounts that are not imported, one for each endpoint, with and without a dry run. */
const CAUSES_OF_NOT_IMPORTED = `ARRAY[${IMPORT_KINDS.flatMap((kind) =>
  [false, true].map((isDryRun) => `hashtextextended('${kind} 404 account_not_found  ${isDryRun} ', 0)`),
).join(', ')}]`;

/** SQL: the stored causes that the parameter `cause` stands for. */
const CAUSES_OF_PARAMETER = `CASE WHEN :cause::bigint = ${NOT_IMPORTED} OR :cause::bigint = ANY (${CAUSES_OF_NOT_IMPORTED})
                               THEN ${CAUSES_OF_NOT_IMPORTED} ELSE ARRAY[(:cause::bigint)] END`;

const OF_SUPPLIER = 'r.import_supplier_id = :import_supplier_id';
const OF_PERIOD = 'r.at >= :since::timestamptz';

/** All counts come from the index import_refusal_cause. The other columns are read from one refusal of each cause. */
export const REFUSAL_CAUSES = query<RefusalCause>(
  'sent_requests.refusal_causes',
  `SELECT c.*, of_cause.refusal
     FROM (${countCauses(
       'cause',
       `CASE WHEN t.cause = ANY (${CAUSES_OF_NOT_IMPORTED}) THEN ${NOT_IMPORTED} ELSE t.cause END`,
       'at',
       `{import_refusal r}
              WHERE ${OF_SUPPLIER} AND ${OF_PERIOD} AND ${isOwn('r')}
                AND (:cause::bigint IS NULL OR r.cause = ANY (${CAUSES_OF_PARAMETER}))`,
     )}) AS c
    CROSS JOIN LATERAL (
            SELECT CASE WHEN c.cause = ${NOT_IMPORTED}
                   THEN json_build_object('kind', NULL, 'status', 404, 'code', 'account_not_found', 'fieldCode', NULL, 'field', NULL,
                                          'isDryRun', false)
                   ELSE (SELECT json_build_object('kind', r.kind, 'status', r.status, 'code', r.code, 'fieldCode', r.field_code,
                                                  'field', r.field, 'isDryRun', r.is_dry_run)
                           FROM {import_refusal r}
                          WHERE ${OF_SUPPLIER} AND r.cause = c.cause AND ${isOwn('r')}
                          LIMIT 1) END AS refusal
          ) AS of_cause
    ORDER BY c.count DESC, c."lastAt" DESC, c.cause`,
);

/**
 * SQL for the organisation's own refusals of a cause. OFFSET 0 makes the planner plan it separately: with the time or the
 * order of the outer query it might read all refusals of the supplier, newest first, until it finds those of the cause.
 */
const REFUSALS_OF_CAUSE = `(
                     SELECT r.external_account_number, r.id, r.at, r.value
                       FROM {import_refusal r}
                      WHERE ${OF_SUPPLIER} AND r.cause = ANY (${CAUSES_OF_PARAMETER}) AND ${isOwn('r')}
                     OFFSET 0
                   ) AS g`;

export const REFUSAL_EXAMPLES = query<RefusalExamples>(
  'sent_requests.refusal_examples',
  `SELECT coalesce(newest.samples, '[]') AS samples, commonest.refused_values AS values
     FROM (
            SELECT json_agg(json_build_object('requestId', r.request_id, 'externalAccountNumber', r.external_account_number,
                                              'unknownField', CASE WHEN r.field_code = 'unexpected_field' THEN r.attr END)
                            ORDER BY n.at DESC, n.id DESC) AS samples,
                   min(r.field_code) AS field_code
              FROM (
                     SELECT g.external_account_number, g.id, g.at
                       FROM ${REFUSALS_OF_CAUSE}
                      WHERE g.at >= :since::timestamptz
                      ORDER BY g.at DESC, g.id DESC
                      LIMIT ${SAMPLES_MAX}
                   ) AS n
              JOIN {import_refusal r}
                ON ${OF_SUPPLIER} AND r.external_account_number = n.external_account_number AND r.id = n.id
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
             WHERE newest.field_code = 'invalid_choice'
          ) AS commonest`,
);

/** SQL for the state of an account; null when it was never staged. */
const stateOf = (number: string): string => `(
            SELECT ${accountState('a')}
              FROM {account_import a}
             WHERE a.import_supplier_id = :import_supplier_id AND a.external_account_number = ${number}
             LIMIT 1)`;

/** The next accounts of each stored cause. The first accounts over all causes are among them. */
export const REFUSED_ACCOUNTS = query<RefusedAccount>(
  'sent_requests.refused_accounts',
  `SELECT listed.number AS "externalAccountNumber", listed.count, listed.first_at AS "firstAt", listed.last_at AS "lastAt",
          ${stateOf('listed.number')} AS state
     FROM (
            SELECT next.number, sum(next.count)::integer AS count, min(next.first_at) AS first_at, max(next.last_at) AS last_at
              FROM unnest(${CAUSES_OF_PARAMETER}) AS wanted (cause)
             CROSS JOIN LATERAL (
                     SELECT r.external_account_number AS number, count(*) AS count, min(r.at) AS first_at, max(r.at) AS last_at
                       FROM {import_refusal r}
                      WHERE ${OF_SUPPLIER} AND r.cause = wanted.cause AND r.external_account_number >= :from AND ${OF_PERIOD}
                        AND ${isOwn('r')}
                      GROUP BY r.external_account_number
                      ORDER BY r.external_account_number
                      LIMIT :count_max::integer
                   ) AS next
             GROUP BY next.number
             ORDER BY next.number
             LIMIT :count_max::integer
          ) AS listed
    ORDER BY listed.number`,
);

export const REFUSED_ACCOUNT_STATES = query<RefusedAccountStates>(
  'sent_requests.refused_account_states',
  `SELECT count(*)::integer AS accounts,
          ${['pending', 'in_progress', 'imported', 'failed']
            .map((state) => `count(*) FILTER (WHERE account.state = '${state}')::integer AS ${state}`)
            .join(', ')},
          count(*) FILTER (WHERE account.state IS NULL)::integer AS unknown
     FROM (
            SELECT ${stateOf('refused.number')} AS state
              FROM (
                     SELECT DISTINCT r.external_account_number AS number
                       FROM {import_refusal r}
                      WHERE ${OF_SUPPLIER} AND r.cause = ANY (${CAUSES_OF_PARAMETER}) AND ${OF_PERIOD} AND ${isOwn('r')}
                      LIMIT :accounts_max::integer
                   ) AS refused
          ) AS account`,
);

/** With a cause, only the organisation's own refusals are returned: the cause of another organisation's refusal is not known. */
export const NEWEST_REFUSALS = query<RefusalRecord>(
  'sent_requests.refusals',
  `SELECT r.id, r.at, r.at::text AS exact_at, r.kind, r.status,
          CASE WHEN ${isOwn('r')} THEN json_build_object(
            'code', r.code, 'field_code', r.field_code, 'attr', r.attr, 'value', r.value, 'dry_run', r.is_dry_run,
            'external_account_number', r.external_account_number, 'request_id', r.request_id) END AS details
     FROM {import_refusal r}
    WHERE ${OF_SUPPLIER}
      AND r.at BETWEEN :since::timestamptz AND :before_at::timestamptz
      AND (r.at, r.id) < (:before_at::timestamptz, :before_id::uuid)
      AND (:cause::bigint IS NULL OR r.cause = ANY (${CAUSES_OF_PARAMETER}) AND ${isOwn('r')})
    ORDER BY r.at DESC, r.id DESC
    LIMIT :count_max::integer`,
);

export const REFUSALS_OF_OTHERS = query<OthersRefusals>(
  'sent_requests.refusals_of_others',
  `SELECT r.kind, r.status, count(*)::integer AS count, min(r.at) AS "firstAt", max(r.at) AS "lastAt"
     FROM {import_refusal r}
    WHERE ${OF_SUPPLIER} AND ${OF_PERIOD} AND NOT ${isOwn('r')}
    GROUP BY r.kind, r.status
    ORDER BY count(*) DESC, r.kind, r.status`,
);
