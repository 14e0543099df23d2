import { query } from '../../infrastructure/database/query.js';

/** The keys that are valid in the database. */
export interface ValidKeys {
  /** With the name of the organisation. */
  readonly api_keys: readonly {
    readonly id: string;
    readonly organisation: string;
    readonly label: string;
  }[];
  readonly platform_keys: readonly { readonly id: string; readonly name: string }[];
}

/**
 * Returns a row if the place has changed. Another process that does the same waits here until the first is done, and then
 * changes nothing.
 */
export const REMEMBER_PLACE = query<{ place: string }>(
  'restored.remember_place',
  `INSERT INTO database_place AS p (place) VALUES (:place)
       ON CONFLICT (is_only) DO UPDATE SET place = excluded.place WHERE p.place <> excluded.place
   RETURNING p.place`,
);

/** Whether the database is not new: somebody has already used it. */
export const IS_USED = query<{ is_used: boolean }>(
  'restored.is_used',
  'SELECT EXISTS (SELECT FROM organisation) OR EXISTS (SELECT FROM import_supplier) AS is_used',
);

// These queries are here because the modules of the console and of the keys end only what is theirs alone.

/** Ends all sessions and links to sign in, and counts the sessions that were live. */
export const END_SESSIONS = query<{ ended: number }>(
  'restored.end_sessions',
  `WITH codes AS (DELETE FROM console_sign_in_code),
        sessions AS (DELETE FROM console_session RETURNING revoked_at IS NULL AND expires_at > now() AS is_live)
   SELECT count(*) FILTER (WHERE is_live)::integer AS ended FROM sessions`,
);

/**
 * Skips platform account numbers that may have been given out since the copy. A rollback does not reset a sequence, so a
 * retry skips numbers again. There are four billion.
 */
export const SKIP_NUMBERS = query<never>(
  'restored.skip_account_numbers',
  `SELECT setval('service_account_serial', least(s.last_value + :count::bigint, 4294967295)) FROM service_account_serial s`,
);

export const SUPPLIERS = query<{ id: number; code: string }>(
  'restored.suppliers',
  'SELECT s.id, s.code FROM import_supplier s ORDER BY s.code',
);

export const API_KEYS = query<ValidKeys['api_keys'][number]>(
  'restored.valid_api_keys',
  `SELECT k.id, o.name AS organisation, k.label
     FROM api_key k
     JOIN organisation o ON o.id = k.organisation_id
    WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
    ORDER BY o.name, k.id`,
);

export const PLATFORM_KEYS = query<ValidKeys['platform_keys'][number]>(
  'restored.valid_platform_keys',
  'SELECT k.id, k.name FROM platform_key k WHERE k.revoked_at IS NULL AND k.expires_at > now() ORDER BY k.name, k.id',
);
