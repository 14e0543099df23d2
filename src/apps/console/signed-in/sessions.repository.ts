import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { query, run, runForOne } from '../../../infrastructure/database/query.js';
import type { Tx } from '../../../infrastructure/database/unit-of-work.js';
import { ConsoleSession } from './console-session.entity.js';
import type { LiveSession, NewSession, SessionOfKey, SessionOwner } from './sessions.types.js';

/** A live session as it is read for every page. */
export interface FoundSession {
  readonly id: string;
  readonly operator: string | null;
  readonly apiKeyId: string | null;
  readonly organisationId: string | null;
  readonly organisation: string | null;
  /** Whether {@link SessionsRepository.recordUse} is due. */
  readonly isSeenBefore: boolean;
}

/**
 * Neither over nor revoked. An admin's ends with the API key and with a forced re-authentication of the organisation, which
 * raises its token version (choice C3). There is one row of `k` and `o` for an admin's session and none for an operator's.
 */
const LIVE = `
      s.expires_at > now() AND s.revoked_at IS NULL
  AND (s.api_key_id IS NULL
       OR k.revoked_at IS NULL AND coalesce(k.expires_at > now(), true) AND o.token_version = s.token_version)`;

const SESSION = `
       console_session s
  LEFT JOIN api_key k ON k.id = s.api_key_id
  LEFT JOIN organisation o ON o.id = k.organisation_id`;

const INSERT_CODE = query<{ expiresAt: Date }>(
  'console.insert_sign_in_code',
  `INSERT INTO console_sign_in_code (code_hash, operator)
   VALUES (:code_hash, :operator)
   RETURNING expires_at AS "expiresAt"`,
);

/** The second of two uses at the same time waits for the first, and then finds the code used. */
const REDEEM_CODE = query<{ operator: string }>(
  'console.redeem_sign_in_code',
  `UPDATE console_sign_in_code
      SET used_at = now()
    WHERE code_hash = :code_hash AND used_at IS NULL AND expires_at > now()
   RETURNING operator`,
);

const FIND = query<FoundSession>(
  'console.find_session',
  `SELECT s.id, s.operator, s.api_key_id AS "apiKeyId", o.id AS "organisationId", o.name AS organisation,
          s.last_seen_at < now() - interval '1 minute' AS "isSeenBefore"
     FROM ${SESSION}
    WHERE s.secret_hash = :secret_hash AND ${LIVE}`,
);

/** Writes at most once a minute, so that a page which updates by itself does not leave one dead row for each time. */
const RECORD_USE = query<never>(
  'console.record_use_of_session',
  `UPDATE console_session
      SET last_seen_at = now()
    WHERE id = :id AND last_seen_at < now() - interval '1 minute'`,
);

/** The next sign-in with the same key waits, on whichever instance, so that both count each other's session. */
const LOCK_KEY = query<never>(
  'console.lock_api_key',
  'SELECT FROM api_key WHERE id = :api_key_id FOR NO KEY UPDATE',
);

/** All but the newest ones of a key. A session of an earlier token version has ended already. */
const END_OLDEST = query<never>(
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
const REMOVE_CODES = query<never>(
  'console.remove_sign_in_codes',
  `DELETE FROM console_sign_in_code WHERE expires_at < now() - interval '1 day'`,
);
const REMOVE_SESSIONS = query<never>(
  'console.remove_sessions',
  `DELETE FROM console_session WHERE expires_at < now() - interval '1 day'`,
);

/**
 * Sessions are stored, listed and ended with TypeORM. SQL checks them, because every page does, redeems a code at most once, and ends the
 * oldest sessions of a key in one query.
 */
@Injectable()
export class SessionsRepository {
  constructor(@InjectRepository(ConsoleSession) private readonly sessions: Repository<ConsoleSession>) {}

  async insertCode(tx: Tx, codeHash: Buffer, operator: string): Promise<Date> {
    const { expiresAt } = await runForOne(tx, INSERT_CODE, { code_hash: codeHash, operator });
    return expiresAt;
  }

  /** @returns the operator whom the code is for; nothing when it is unknown, over or used */
  async redeemCode(tx: Tx, codeHash: Buffer): Promise<string | undefined> {
    const [row] = await run(tx, REDEEM_CODE, { code_hash: codeHash });
    return row?.operator;
  }

  /** Keep other sign-ins with the key waiting until the end of the transaction. */
  async lockKey(tx: Tx, apiKeyId: string): Promise<void> {
    await run(tx, LOCK_KEY, { api_key_id: apiKeyId });
  }

  /** End the live sessions of a key but for so many of the newest ones. */
  async endOldest(tx: Tx, { apiKeyId, tokenVersion }: SessionOfKey, sessionsMax: number): Promise<void> {
    await run(tx, END_OLDEST, {
      api_key_id: apiKeyId,
      token_version: tokenVersion,
      sessions_max: sessionsMax,
    });
  }

  async insertSession(tx: Tx, secretHash: Buffer, owner: SessionOwner): Promise<Omit<NewSession, 'secret'>> {
    const sessions = tx.withRepository(this.sessions);
    const session = sessions.create({ secretHash, ...owner });
    await sessions.insert(session);
    return { id: session.id, expiresAt: session.expiresAt };
  }

  async find(tx: Tx, secretHash: Buffer): Promise<FoundSession | undefined> {
    const [row] = await run(tx, FIND, { secret_hash: secretHash });
    return row;
  }

  async recordUse(tx: Tx, id: string): Promise<void> {
    await run(tx, RECORD_USE, { id });
  }

  /** Live sessions, newest first. @param before id of the last one of the page before; @param countMax all by default */
  async list(tx: Tx, before: string, countMax?: number): Promise<LiveSession[]> {
    const sessions = await tx
      .withRepository(this.sessions)
      .createQueryBuilder('s')
      .leftJoinAndSelect('s.apiKey', 'k')
      .leftJoinAndSelect('k.organisation', 'o')
      .where('s.id < :before', { before })
      .andWhere(LIVE)
      .orderBy('s.id', 'DESC')
      .limit(countMax)
      .getMany();
    return sessions.map(({ apiKey, ...session }) => ({
      ...session,
      organisation: apiKey?.organisation.name ?? null,
      keyLabel: apiKey?.label ?? null,
    }));
  }

  /** @returns when it was first revoked, and whether that is now; nothing when there is no such session */
  async revoke(tx: Tx, id: string): Promise<{ isNew: boolean; revokedAt: Date } | undefined> {
    const sessions = tx.withRepository(this.sessions);
    const { affected } = await sessions.update({ id, revokedAt: IsNull() }, { revokedAt: () => 'now()' });
    const revokedAt = (await sessions.findOneBy({ id }))?.revokedAt;
    return revokedAt ? { isNew: affected === 1, revokedAt } : undefined;
  }

  async removeEnded(tx: Tx): Promise<void> {
    await run(tx, REMOVE_CODES, {});
    await run(tx, REMOVE_SESSIONS, {});
  }
}
