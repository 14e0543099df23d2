import { query, type Query } from '../database/query.js';

/** Records that a key was used. It writes at most once a minute, so that a busy key does not leave one dead row for each token. */
export function recordUseOf(table: 'api_key' | 'platform_key'): Query<never> {
  return query<never>(
    `auth.${table}_record_use`,
    `UPDATE ${table}
        SET last_used_at = now()
      WHERE id = :id AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
  );
}
