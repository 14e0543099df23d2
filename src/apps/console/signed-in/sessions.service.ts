import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { AuditService } from '../../../infrastructure/audit/audit.service.js';
import { recordedAsKey } from '../../../auth/recorded-as-key.js';
import { CommandError } from '../../../infrastructure/errors/command-error.js';
import { isUuid } from '../../../infrastructure/text/uuid.js';
import { run, runForOne } from '../../../infrastructure/database/query.js';
import { UnitOfWork, type Tx } from '../../../infrastructure/database/unit-of-work.js';
import { EvidenceService } from '../../../infrastructure/audit/evidence/evidence.service.js';
import { readPage, type ListPage } from '../common/cursor.js';
import { ConsoleSession } from './console-session.entity.js';
import {
  END_OLDEST,
  FIND,
  INSERT_CODE,
  LIVE,
  LOCK_KEY,
  RECORD_USE,
  REDEEM_CODE,
  REMOVE_CODES,
  REMOVE_SESSIONS,
  type FoundSession,
} from './sessions.queries.js';
import type { LiveSession, NewSession, SessionOfKey, SessionOwner, SignInLink } from './sessions.types.js';
import type { SignedInUser } from './signed-in-user.js';

const SECRET_BYTES = 32;
/** The most live sessions of one API key. */
const SESSIONS_OF_KEY_MAX = 20;
const PAGE_SESSIONS = 50;
/** Sorts after the id of every session. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** The form of a code. Anything else is not looked up. */
const CODE = /^[A-Za-z0-9_-]{43}$/;

/**
 * The sessions of the console. They are stored, listed and ended with TypeORM. SQL checks them, because every page does, redeems a code at
 * most once, and ends the oldest sessions of a key in one query.
 */
@Injectable()
export class SessionsService {
  constructor(
    private readonly work: UnitOfWork,
    @InjectRepository(ConsoleSession) private readonly sessions: Repository<ConsoleSession>,
    private readonly audit: AuditService,
    private readonly evidence: EvidenceService,
  ) {}

  /**
   * Make the code of a link that signs an operator in once, within ten minutes.
   *
   * @param operator the name to record for everything seen and changed after the sign-in
   * @param recordedAs the name to record for making the link
   * Source: choices C1, O6.
   */
  async makeLink(operator: string, recordedAs: string): Promise<SignInLink> {
    const code = randomSecret();
    const expiresAt = await this.work.write(async (tx) => {
      await removeEnded(tx);
      await this.audit.record(tx, { operator: recordedAs, action: 'console.link', subject: operator });
      return (await runForOne(tx, INSERT_CODE, { code_hash: hashOf(code), operator })).expiresAt;
    });
    return { code, operator, expiresAt };
  }

  /**
   * Sign an operator in with the code of a link, which can be used only once.
   *
   * @param replaced the session of the same browser that the new one replaces
   * @returns undefined when the code is unknown, older than ten minutes or used
   * Source: choices C1, O6.
   */
  async beginWithCode(code: string, replaced?: SignedInUser): Promise<NewSession | undefined> {
    if (!CODE.test(code)) return undefined;
    return this.work.write(async (tx) => {
      const [redeemed] = await run(tx, REDEEM_CODE, { code_hash: hashOf(code) });
      return redeemed && this.insert(tx, redeemed, redeemed.operator, replaced);
    });
  }

  /**
   * Sign in an admin whose API key was verified. The session ends with the key, or when it is the oldest of too many of the
   * key.
   *
   * @param replaced the session of the same browser that the new one replaces
   * Source: choices A10, C1, C3, O6.
   */
  beginWithApiKey({ apiKeyId, tokenVersion }: SessionOfKey, replaced?: SignedInUser): Promise<NewSession> {
    const owner = { apiKeyId, tokenVersion };
    return this.work.write(async (tx) => {
      await run(tx, LOCK_KEY, { api_key_id: apiKeyId });
      const session = await this.insert(tx, owner, recordedAsKey(apiKeyId), replaced);
      const limit = { api_key_id: apiKeyId, token_version: tokenVersion, sessions_max: SESSIONS_OF_KEY_MAX };
      await run(tx, END_OLDEST, limit);
      return session;
    });
  }

  /**
   * The signed-in user whose session has a secret.
   *
   * @param secret from the cookie, which this service has signed
   * @returns undefined when there is no such session, or it has ended: by its time, by a revocation, or with its API key
   * Source: choices C1, C3.
   */
  async find(secret: string): Promise<SignedInUser | undefined> {
    const [found] = await this.work.query((tx) => run(tx, FIND, { secret_hash: hashOf(secret) }));
    if (found?.isSeenBefore === true) await this.work.query((tx) => run(tx, RECORD_USE, { id: found.id }));
    return found && toUser(found);
  }

  /** All sessions that have not ended, oldest first. Source: choice C1. */
  async list(): Promise<LiveSession[]> {
    return (await this.read(LAST_ID)).reverse();
  }

  /** A page of these sessions, newest first. @param after parameter of the address for the next page; source: choice A10 */
  page(after: string | undefined): Promise<ListPage<LiveSession>> {
    return readPage(
      ['uuid'],
      after,
      PAGE_SESSIONS,
      ([before = LAST_ID], countMax) => this.read(before, countMax),
      ({ id }) => [id],
    );
  }

  /**
   * End a session at once. Revoking it again changes nothing.
   *
   * @param operator the name that is recorded
   * @returns when it was first revoked
   * @throws CommandError `session_not_found`
   * Source: choices C1, O6.
   */
  async revoke(id: string, operator: string): Promise<Date> {
    const revoked = isUuid(id)
      ? await this.work.write(async (tx) => {
          const end = await this.markRevoked(tx, id);
          if (end?.isNew) await this.audit.record(tx, { operator, action: 'console.revoke', subject: id });
          return end;
        })
      : undefined;
    if (!revoked) {
      throw new CommandError(
        'session_not_found',
        `There is no session with the id ${id}; "data-import console sessions" shows the ids.`,
      );
    }
    return revoked.revokedAt;
  }

  /** End the signed-in user's own session. Source: choices C1, O6. */
  async signOut(user: SignedInUser): Promise<void> {
    await this.work.write((tx) => this.end(tx, user));
  }

  /** Live sessions, newest first. @param before id of the last one of the page before; @param countMax all by default */
  private async read(before: string, countMax?: number): Promise<LiveSession[]> {
    const sessions = await this.work.query((tx) =>
      tx
        .withRepository(this.sessions)
        .createQueryBuilder('s')
        .leftJoinAndSelect('s.apiKey', 'k')
        .leftJoinAndSelect('k.organisation', 'o')
        .where('s.id < :before', { before })
        .andWhere(LIVE)
        .orderBy('s.id', 'DESC')
        .limit(countMax)
        .getMany(),
    );
    return sessions.map(({ apiKey, ...session }) => ({
      ...session,
      organisation: apiKey?.organisation.name ?? null,
      keyLabel: apiKey?.label ?? null,
    }));
  }

  /** @returns when it was first revoked, and whether that is now; nothing when there is no such session */
  private async markRevoked(tx: Tx, id: string): Promise<{ isNew: boolean; revokedAt: Date } | undefined> {
    const sessions = tx.withRepository(this.sessions);
    const { affected } = await sessions.update({ id, revokedAt: IsNull() }, { revokedAt: () => 'now()' });
    const revokedAt = (await sessions.findOneBy({ id }))?.revokedAt;
    return revokedAt ? { isNew: affected === 1, revokedAt } : undefined;
  }

  private async insert(
    tx: Tx,
    owner: SessionOwner,
    recordedAs: string,
    replaced: SignedInUser | undefined,
  ): Promise<NewSession> {
    const secret = randomSecret();
    await removeEnded(tx);
    if (replaced) await this.end(tx, replaced);
    const sessions = tx.withRepository(this.sessions);
    const session = sessions.create({ secretHash: hashOf(secret), ...owner });
    await sessions.insert(session);
    const { id, expiresAt } = session;
    await this.evidence.recordSession(tx, 'console.sign_in', { viewer: recordedAs, sessionId: id });
    return { id, expiresAt, secret };
  }

  /** End a session and record it, unless it had already ended. */
  private async end(tx: Tx, { sessionId, recordedAs: viewer }: SignedInUser): Promise<void> {
    const end = await this.markRevoked(tx, sessionId);
    if (end?.isNew) await this.evidence.recordSession(tx, 'console.sign_out', { viewer, sessionId });
  }
}

async function removeEnded(tx: Tx): Promise<void> {
  await run(tx, REMOVE_CODES, {});
  await run(tx, REMOVE_SESSIONS, {});
}

function randomSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function toUser({ id, operator, apiKeyId, organisationId, organisation }: FoundSession): SignedInUser {
  if (operator !== null) return { kind: 'operator', sessionId: id, recordedAs: operator, name: operator };
  if (apiKeyId === null || organisationId === null) throw new Error(`The session ${id} belongs to nobody.`);
  const ids = { sessionId: id, organisationId, apiKeyId };
  return { kind: 'admin', ...ids, recordedAs: recordedAsKey(apiKeyId), name: organisation ?? '' };
}
