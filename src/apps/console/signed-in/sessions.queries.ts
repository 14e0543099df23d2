import { query } from '../../../infrastructure/database/query.js';
import type { NewSession, SessionUser } from './sessions.types.js';

/** A live session as it is read for every page. */
export interface FoundSession extends SessionUser {
  readonly id: string;
  /** Name of the organisation. */
  readonly organisation: string | null;
  /** Whether {@link RECORD_USE} is due. */
  readonly isSeenBefore: boolean;
}

/**
 * Neither over nor revoked. An admin's ends with the API key, if that was used, and with a forced re-authentication of the
 * organisation, which raises its token version (choice C3). There is a row of `o` for an admin's session only.
 */
export const LIVE = `
      s.expires_at > now() AND s.revoked_at IS NULL
  AND (s.api_key_id IS NULL OR k.revoked_at IS NULL AND coalesce(k.expires_at > now(), true))
  AND (s.organisation_id IS NULL OR o.token_version = s.token_version)`;

const SESSION = `
       console_session s
  LEFT JOIN api_key k ON k.id = s.api_key_id
  LEFT JOIN organisation o ON o.id = s.organisation_id`;

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
  `SELECT s.id, s.operator, s.api_key_id AS "apiKeyId", s.issuer, s.subject, s.person, s.role,
          s.organisation_id AS "organisationId", o.name AS organisation,
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

/** No second session comes of the same sign-in of a person. */
export const INSERT = query<Pick<NewSession, 'id' | 'expiresAt'>>(
  'console.insert_session',
  `INSERT INTO console_session (secret_hash, operator, api_key_id, issuer, subject, person, state_hash, role,
                                organisation_id, token_version, expires_at)
   VALUES (:secret_hash, :operator, :api_key_id, :issuer, :subject, :person, :state_hash, :role,
           :organisation_id, :token_version, now() + make_interval(hours => :hours))
       ON CONFLICT ON CONSTRAINT sign_in_of_a_person_is_one_session DO NOTHING
   RETURNING id, expires_at AS "expiresAt"`,
);

/** The next sign-in of the same user waits, on whichever instance, so that both count each other's session. */
export const LOCK_USER = query<never>(
  'console.lock_user',
  'SELECT pg_advisory_xact_lock(hashtextextended(:identity, 0))',
);

export const FIND_TOKEN_VERSION = query<{ tokenVersion: number }>(
  'console.find_token_version',
  'SELECT token_version AS "tokenVersion" FROM organisation WHERE id = :organisation_id',
);

/** All but the newest ones of a key or a person. */
export const END_OLDEST = query<never>(
  'console.end_oldest_sessions',
  `UPDATE console_session
      SET revoked_at = now()
    WHERE id = ANY (ARRAY(
            SELECT s.id
              FROM console_session s
             WHERE (s.api_key_id = :api_key_id OR s.subject = :subject AND s.issuer = :issuer)
               AND s.revoked_at IS NULL AND s.expires_at > now()
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
