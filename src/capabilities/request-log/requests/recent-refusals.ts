import { isOwn } from './own.js';

/**
 * SQL for the refusals of the last hour but those of dry runs, at most `count_max`: their cause in words, and whether the reader may see it.
 *
 * @param supplier SQL for the id of the supplier
 * Source: choices A8, C9.
 */
export const recentRefusals = (supplier: string): string => `
                  SELECT coalesce(r.field_code, r.code) || coalesce(' in ' || r.field, '') AS words, ${isOwn('r')} AS is_shown
                    FROM {import_refusal r}
                   WHERE r.import_supplier_id = ${supplier} AND r.at >= now() - interval '1 hour' AND NOT r.is_dry_run
                   ORDER BY r.at
                   LIMIT :count_max::integer`;
