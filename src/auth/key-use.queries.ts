import { query, type Query } from '../infrastructure/database/query.js';

/**
 * Records in a time column that a key was used. It writes at most once a minute, so that a busy key does not leave a dead row
 * version for every token.
 */
export function recordUseOf(
  table: 'api_key' | 'platform_key',
  column: 'last_used_at' | 'last_signed_in_at' = 'last_used_at',
): Query<never> {
  return query<never>(
    `auth.${table}_record_${column}`,
    `UPDATE ${table}
        SET ${column} = now()
      WHERE id = :id AND (${column} IS NULL OR ${column} < now() - interval '1 minute')`,
  );
}
