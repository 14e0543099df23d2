import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { AuditService } from '../../../infrastructure/audit/audit.service.js';
import { ENVIRONMENT, type Environment } from '../../../infrastructure/config/settings.js';
import { CommandError } from '../../../infrastructure/errors/command-error.js';
import { isOperatorName, OPERATOR_RULE } from '../../../infrastructure/text/names.js';
import { isUuid } from '../../../infrastructure/text/uuid.js';
import { run, runForOne } from '../../../infrastructure/database/query.js';
import { UnitOfWork, type Tx } from '../../../infrastructure/database/unit-of-work.js';
import { EvidenceService } from '../../../infrastructure/audit/evidence/evidence.service.js';
import { readPage, type ListPage } from '../common/cursor.js';
import { ConsoleSession } from './console-session.entity.js';
import { userName } from './described-user.js';
import { recordedAs } from './recorded-as.js';
import {
  END_OLDEST,
  FIND,
  FIND_TOKEN_VERSION,
  INSERT,
  INSERT_CODE,
  LIVE,
  LOCK_USER,
  RECORD_USE,
  REDEEM_CODE,
  REMOVE_CODES,
  REMOVE_SESSIONS,
  type FoundSession,
} from './sessions.queries.js';
import type {
  LiveSession,
  NewSession,
  NewUser,
  Person,
  SessionOfKey,
  SessionUser,
  SignInLink,
} from './sessions.types.js';
import type { SignedInUser } from './signed-in-user.js';

const SECRET_BYTES = 32;
/** The most live sessions of one API key or person. */
const SESSIONS_MAX = 20;
const PAGE_SESSIONS = 50;
/** Sorts after the id of every session. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** The form of a code. Anything else is not looked up. */
const CODE = /^[A-Za-z0-9_-]{43}$/;
/** The columns that only some kinds of users have. */
const NOBODY = {
  ...{ operator: null, apiKeyId: null, issuer: null, subject: null, person: null },
  ...{ organisationId: null, tokenVersion: null },
} as const;

/**
 * The sessions of the console. They are listed and ended with TypeORM. SQL checks them, because every page does, lets a code and the
 * sign-in of a person become one session at most, and ends the oldest sessions of a user in one query.
 */
@Injectable()
export class SessionsService {
  constructor(
    private readonly work: UnitOfWork,
    @InjectRepository(ConsoleSession) private readonly sessions: Repository<ConsoleSession>,
    private readonly audit: AuditService,
    private readonly evidence: EvidenceService,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * Make the code of a link that signs an operator in once, within ten minutes.
   *
   * @param operator the name to record for everything seen and changed after the sign-in
   * @param maker the name to record for making the link
   * @param details what is recorded with it
   * @throws CommandError `invalid_operator` when the name could be taken for a person's or a key's
   * Source: choices C1, O6.
   */
  async makeLink(operator: string, maker: string, details: object = {}): Promise<SignInLink> {
    if (!isOperatorName(operator)) throw new CommandError('invalid_operator', OPERATOR_RULE);
    const code = randomSecret();
    const expiresAt = await this.work.write(async (tx) => {
      await removeEnded(tx);
      await this.audit.record(tx, { operator: maker, action: 'console.link', subject: operator, details });
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
      return redeemed && this.insert(tx, { ...NOBODY, ...redeemed, role: 'operator' }, replaced);
    });
  }

  /**
   * Sign in an admin whose API key was verified. The session ends with the key, or when it is the oldest of too many of the
   * key.
   *
   * @param replaced the session of the same browser that the new one replaces
   * Source: choices A10, C1, C3, O6.
   */
  beginWithApiKey(key: SessionOfKey, replaced?: SignedInUser): Promise<NewSession | undefined> {
    return this.work.write((tx) => this.insert(tx, { ...NOBODY, ...key, role: 'supplier' }, replaced));
  }

  /**
   * Sign in a person whom the provider has named.
   *
   * @param state of the sign-in at the provider
   * @param replaced the session of the same browser that the new one replaces
   * @returns undefined when a session came of this sign-in before
   * Source: choices A10, C1, C3, O6.
   */
  beginWithPerson(person: Person, state: string, replaced?: SignedInUser): Promise<NewSession | undefined> {
    return this.work.write((tx) => this.insert(tx, { ...NOBODY, ...person }, replaced, hashOf(state)));
  }

  /** The token version of an organisation; undefined when there is no such organisation. */
  async tokenVersionOf(organisationId: string): Promise<number | undefined> {
    const wanted = { organisation_id: organisationId };
    const [found] = await this.work.query((tx) => run(tx, FIND_TOKEN_VERSION, wanted));
    return found?.tokenVersion;
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
   * End a session at once.
   *
   * @param operator the name that is recorded
   * @returns how many sessions ended: 0 when it had already been revoked
   * @throws CommandError `session_not_found`
   * Source: choices A10, C1, O6.
   */
  async revoke(id: string, operator: string): Promise<number> {
    const isKnown =
      isUuid(id) && (await this.work.query((tx) => tx.withRepository(this.sessions).existsBy({ id })));
    if (!isKnown) throw sessionNotFound(`There is no session with the id ${id}`);
    return this.revokeAll([id], operator);
  }

  /**
   * End all sessions of a user at once.
   *
   * @param names the id of an API key, or one of the names of a person or an operator
   * @param operator the name that is recorded
   * @returns how many sessions ended
   * @throws CommandError `session_not_found`, or `several_users` when they have the same name
   * Source: choices A10, C1, O6.
   */
  async revokeOf(name: string, operator: string): Promise<number> {
    const live = (await this.list()).filter((session) => namesOf(session).includes(name));
    if (live.length === 0) throw sessionNotFound(`Nobody who is called ${name} is signed in`);
    if (new Set(live.map(identityOf)).size > 1) {
      const listed = live.map((session) => `${session.id} (${recordedAs(session)})`).join(', ');
      throw new CommandError(
        'several_users',
        `Several users are called ${name}. Revoke the sessions of the one that you mean by their ids: ${listed}.`,
      );
    }
    return this.revokeAll(
      live.map(({ id }) => id),
      operator,
    );
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
        .leftJoinAndSelect('s.organisation', 'o')
        .where('s.id < :before', { before })
        .andWhere(LIVE)
        .orderBy('s.id', 'DESC')
        .limit(countMax)
        .getMany(),
    );
    return sessions.map(({ apiKey, organisation, ...session }) => ({
      ...session,
      organisation: organisation?.name ?? null,
      keyLabel: apiKey?.label ?? null,
    }));
  }

  private revokeAll(ids: readonly string[], operator: string): Promise<number> {
    return this.work.write(async (tx) => {
      let count = 0;
      for (const id of ids) {
        if (!(await this.markRevoked(tx, id))) continue;
        await this.audit.record(tx, { operator, action: 'console.revoke', subject: id });
        count += 1;
      }
      return count;
    });
  }

  /** @returns whether it was not revoked before */
  private async markRevoked(tx: Tx, id: string): Promise<boolean> {
    const sessions = tx.withRepository(this.sessions);
    const { affected } = await sessions.update({ id, revokedAt: IsNull() }, { revokedAt: () => 'now()' });
    return affected === 1;
  }

  /** @param stateHash of the sign-in of a person; @returns undefined when a session came of it before */
  private async insert(
    tx: Tx,
    user: NewUser,
    replaced: SignedInUser | undefined,
    stateHash: Buffer | null = null,
  ): Promise<NewSession | undefined> {
    const secret = randomSecret();
    await removeEnded(tx);
    await run(tx, LOCK_USER, { identity: identityOf(user) });
    const owner = { api_key_id: user.apiKeyId, issuer: user.issuer, subject: user.subject };
    const [session] = await run(tx, INSERT, {
      ...owner,
      operator: user.operator,
      person: user.person,
      role: user.role,
      organisation_id: user.organisationId,
      token_version: user.tokenVersion,
      secret_hash: hashOf(secret),
      state_hash: stateHash,
      hours: this.environment.CONSOLE_SESSION_HOURS,
    });
    if (!session) return undefined;
    if (replaced) await this.end(tx, replaced);
    await run(tx, END_OLDEST, { ...owner, sessions_max: SESSIONS_MAX });
    const viewer = recordedAs(user);
    await this.evidence.recordSession(tx, 'console.sign_in', { viewer, sessionId: session.id });
    return { ...session, secret };
  }

  /** End a session and record it, unless it had already ended. */
  private async end(tx: Tx, { sessionId, recordedAs: viewer }: SignedInUser): Promise<void> {
    if (await this.markRevoked(tx, sessionId))
      await this.evidence.recordSession(tx, 'console.sign_out', { viewer, sessionId });
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

/** Identifies the user of a session; a person is not identified by the name. */
function identityOf({ operator, apiKeyId, issuer, subject }: SessionUser): string {
  return operator ?? apiKeyId ?? `${issuer ?? ''} ${subject ?? ''}`;
}

/** The names by which an operator may refer to the user of a session. */
function namesOf(user: SessionUser): readonly (string | null)[] {
  return [user.apiKeyId, user.operator, user.person, user.subject, recordedAs(user)];
}

function sessionNotFound(reason: string): CommandError {
  return new CommandError(
    'session_not_found',
    `${reason}; "data-import console sessions" shows the sessions.`,
  );
}

function toUser(found: FoundSession): SignedInUser {
  const { id: sessionId, person, role, organisationId } = found;
  const user = { recordedAs: recordedAs(found), name: userName(found), isPerson: person !== null };
  const session = { sessionId, ...user };
  if (role !== 'supplier') return { kind: role, ...session };
  if (organisationId === null) throw new Error(`The session ${sessionId} has no organisation.`);
  return { kind: 'admin', ...session, organisationId };
}
