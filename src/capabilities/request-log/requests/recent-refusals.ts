import { isOwn } from './own.js';

/**
 * SQL for the newest `count_max` refusals of the last hour, without those that are of dry runs: their cause in words, and whether
 * the reader may see it.
 *
 * @param supplier SQL for the id of the supplier
 * Source: choices A8, C9.
 */
export const recentRefusals = (supplier: string): string => `
                  SELECT coalesce(r.field_code, r.code) || coalesce(' in ' || r.field, '') AS words, ${isOwn('r')} AS is_shown
                    FROM (SELECT *
                            FROM {import_refusal}
                           WHERE import_supplier_id = ${supplier} AND at >= now() - interval '1 hour'
                           ORDER BY at DESC
                           LIMIT :count_max::integer) AS r
                   WHERE NOT r.is_dry_run`;
