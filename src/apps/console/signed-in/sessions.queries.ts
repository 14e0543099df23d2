import { query } from '../../../infrastructure/database/query.js';

/** A live session as it is read for every page. */
export interface FoundSession {
  readonly id: string;
  readonly operator: string | null;
  readonly apiKeyId: string | null;
  readonly organisationId: string | null;
  readonly organisation: string | null;
  /** Whether {@link RECORD_USE} is due. */
  readonly isSeenBefore: boolean;
}

/**
 * Neither over nor revoked. An admin's ends with the API key and with a forced re-authentication of the organisation, which
 * raises its token version (choice C3). There is one row of `k` and `o` for an admin's session and none for an operator's.
 */
export const LIVE = `
      s.expires_at > now() AND s.revoked_at IS NULL
  AND (s.api_key_id IS NULL
       OR k.revoked_at IS NULL AND coalesce(k.expires_at > now(), true) AND o.token_version = s.token_version)`;

const SESSION = `
       console_session s
  LEFT JOIN api_key k ON k.id = s.api_key_id
  LEFT JOIN organisation o ON o.id = k.organisation_id`;

export const INSERT_CODE = query<{ expiresAt: Date }>(
  'console.insert_sign_in_code',
  `INSERT INTO console_sign_in_code (code_hash, operator)
   VALUES (:code_hash, :operator)
   RETURNING expires_at AS "expiresAt"`,
);

/** The second of two uses at the same time waits for the first, and then finds the code used. */
export const REDEEM_CODE = query<{ operator: string }>(
  'console.redeem_sign_in_code',
  `UPDATE console_sign_in_code
      SET used_at = now()
    WHERE code_hash = :code_hash AND used_at IS NULL AND expires_at > now()
   RETURNING operator`,
);

export const FIND = query<FoundSession>(
  'console.find_session',
  `SELECT s.id, s.operator, s.api_key_id AS "apiKeyId", o.id AS "organisationId", o.name AS organisation,
          s.last_seen_at < now() - interval '1 minute' AS "isSeenBefore"
     FROM ${SESSION}
    WHERE s.secret_hash = :secret_hash AND ${LIVE}`,
);

/** Writes at most once a minute, so that a page which updates by itself does not leave one dead row for each time. */
export const RECORD_USE = query<never>(
  'console.record_use_of_session',
  `UPDATE console_session
      SET last_seen_at = now()
    WHERE id = :id AND last_seen_at < now() - interval '1 minute'`,
);

/** The next sign-in with the same key waits, on whichever instance, so that both count each other's session. */
export const LOCK_KEY = query<never>(
  'console.lock_api_key',
  'SELECT FROM api_key WHERE id = :api_key_id FOR NO KEY UPDATE',
);

/** All but the newest ones of a key. A session of an earlier token version has ended already. */
export const END_OLDEST = query<never>(
  'console.end_oldest_sessions',
  `UPDATE console_session
      SET revoked_at = now()
    WHERE id = ANY (ARRAY(
            SELECT s.id
              FROM console_session s
             WHERE s.api_key_id = :api_key_id AND s.revoked_at IS NULL AND s.expires_at > now()
               AND s.token_version = :token_version
             ORDER BY s.id DESC
            OFFSET :sessions_max::integer
          ))`,
);

/** The audit keeps who signed in, and when. */
export const REMOVE_CODES = query<never>(
  'console.remove_sign_in_codes',
  `DELETE FROM console_sign_in_code WHERE expires_at < now() - interval '1 day'`,
);
export const REMOVE_SESSIONS = query<never>(
  'console.remove_sessions',
  `DELETE FROM console_session WHERE expires_at < now() - interval '1 day'`,
);
