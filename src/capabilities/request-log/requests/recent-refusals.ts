import { isOwn } from './own.js';

const WORDS = `coalesce(r.field_code, r.code) || coalesce(' in ' || r.field, '') AS words, ${isOwn('r')} AS is_shown`;

/**
 * SQL for the refusals of the last hour but those of dry runs, at most `count_max`: their cause in words, and whether the reader may see it.
 *
 * @param supplier SQL for the id of the supplier
 * Source: choices A8, C9.
 */
export const recentRefusals = (supplier: string): string => `
                  SELECT ${WORDS}
                    FROM {import_refusal r}
                   WHERE r.import_supplier_id = ${supplier} AND r.at >= now() - interval '1 hour' AND NOT r.is_dry_run
                   ORDER BY r.at
                   LIMIT :count_max::integer`;

/**
 * SQL for the same of the newest 100 earlier refusals, as far as they were not corrected: no row of the kind was stored for
 * the account since, and the account does not agree with its control totals. A dry run needs no correction. Each refusal is looked
 * up by the key of its account.
 */
export const uncorrectedRefusals = (supplier: string): string => `
                  SELECT ${WORDS}
                    FROM (SELECT *
                            FROM {import_refusal}
                           WHERE import_supplier_id = ${supplier} AND at < now() - interval '1 hour'
                           ORDER BY at DESC
                           LIMIT 100) AS r
                   WHERE NOT r.is_dry_run
                     AND (SELECT 1
                            FROM {import_request q}
                           WHERE q.import_supplier_id = ${supplier} AND q.external_account_number = r.external_account_number
                             AND q.id > r.id AND q.kind = r.kind AND q.undone_at IS NULL
                           LIMIT 1) IS NULL
                     AND (SELECT 1
                            FROM {account_control c}
                           WHERE c.import_supplier_id = ${supplier} AND c.external_account_number = r.external_account_number
                             AND c.state = 'agrees'
                           LIMIT 1) IS NULL`;
