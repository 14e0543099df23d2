import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../infrastructure/audit/audit.service.js';
import { recordedAsKey } from '../../../auth/recorded-as-key.js';
import { CommandError } from '../../../infrastructure/errors/command-error.js';
import { isUuid } from '../../../infrastructure/text/uuid.js';
import { UnitOfWork, type Tx } from '../../../infrastructure/database/unit-of-work.js';
import { EvidenceService } from '../../../infrastructure/audit/evidence/evidence.service.js';
import { readPage, type ListPage } from '../common/cursor.js';
import { SessionsRepository, type FoundSession } from './sessions.repository.js';
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

/** The sessions of the console. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: SessionsRepository,
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
      await this.repository.removeEnded(tx);
      await this.audit.record(tx, { operator: recordedAs, action: 'console.link', subject: operator });
      return this.repository.insertCode(tx, hashOf(code), operator);
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
      const operator = await this.repository.redeemCode(tx, hashOf(code));
      return operator === undefined ? undefined : this.insert(tx, { operator }, operator, replaced);
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
      await this.repository.lockKey(tx, apiKeyId);
      const session = await this.insert(tx, owner, recordedAsKey(apiKeyId), replaced);
      await this.repository.endOldest(tx, owner, SESSIONS_OF_KEY_MAX);
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
    const found = await this.work.query((tx) => this.repository.find(tx, hashOf(secret)));
    if (found?.isSeenBefore === true) {
      await this.work.query((tx) => this.repository.recordUse(tx, found.id));
    }
    return found && toUser(found);
  }

  /** All sessions that have not ended, oldest first. Source: choice C1. */
  async list(): Promise<LiveSession[]> {
    const sessions = await this.work.query((tx) => this.repository.list(tx, LAST_ID));
    return sessions.reverse();
  }

  /** A page of these sessions, newest first. @param after parameter of the address for the next page; source: choice A10 */
  page(after: string | undefined): Promise<ListPage<LiveSession>> {
    return readPage(
      ['uuid'],
      after,
      PAGE_SESSIONS,
      ([before = LAST_ID], countMax) => this.work.query((tx) => this.repository.list(tx, before, countMax)),
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
          const end = await this.repository.revoke(tx, id);
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

  private async insert(
    tx: Tx,
    owner: SessionOwner,
    recordedAs: string,
    replaced: SignedInUser | undefined,
  ): Promise<NewSession> {
    const secret = randomSecret();
    await this.repository.removeEnded(tx);
    if (replaced) await this.end(tx, replaced);
    const inserted = await this.repository.insertSession(tx, hashOf(secret), owner);
    await this.evidence.recordSession(tx, 'console.sign_in', { viewer: recordedAs, sessionId: inserted.id });
    return { ...inserted, secret };
  }

  /** End a session and record it, unless it had already ended. */
  private async end(tx: Tx, { sessionId, recordedAs: viewer }: SignedInUser): Promise<void> {
    const end = await this.repository.revoke(tx, sessionId);
    if (end?.isNew) await this.evidence.recordSession(tx, 'console.sign_out', { viewer, sessionId });
  }
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
