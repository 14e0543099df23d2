import type { ConsoleSession } from './console-session.entity.js';

/** The user of a session. */
export type SessionUser = Readonly<
  Pick<ConsoleSession, 'operator' | 'apiKeyId' | 'issuer' | 'subject' | 'person' | 'role' | 'organisationId'>
>;

/** A user who signs in. The token version is that of the organisation at the sign-in; null without one. */
export type NewUser = SessionUser & Readonly<Pick<ConsoleSession, 'tokenVersion'>>;

/** An admin of the key's organisation. */
export interface SessionOfKey {
  readonly apiKeyId: string;
  readonly organisationId: string;
  readonly tokenVersion: number;
}

/** A person as the provider names them, with the role and for a supplier's the organisation. */
export type Person = Pick<NewUser, 'role' | 'organisationId' | 'tokenVersion'> &
  Readonly<Record<'issuer' | 'subject' | 'person', string>>;

/** A link that signs an operator in once. */
export interface SignInLink {
  /** The secret part of its address. It is never logged, and stored only as a hash. */
  readonly code: string;
  readonly operator: string;
  readonly expiresAt: Date;
}

/** A session that was just begun. */
export interface NewSession extends Readonly<Pick<ConsoleSession, 'id' | 'expiresAt'>> {
  /** Goes into the cookie; never logged, and stored as a hash only. */
  readonly secret: string;
}

/** A session that has not ended. */
export interface LiveSession
  extends SessionUser, Readonly<Pick<ConsoleSession, 'id' | 'createdAt' | 'lastSeenAt' | 'expiresAt'>> {
  /** Name of an admin's organisation; null for the platform's people. */
  readonly organisation: string | null;
  /** Label of the key. */
  readonly keyLabel: string | null;
}
