import type { ConsoleSession } from './console-session.entity.js';

/** Who a session belongs to. */
export type SessionOwner = { readonly operator: string } | SessionOfKey;

/** An admin of the key's organisation, and the token version of the organisation at the sign-in. */
export interface SessionOfKey {
  readonly apiKeyId: string;
  readonly tokenVersion: number;
}

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
export interface LiveSession extends Readonly<
  Pick<ConsoleSession, 'id' | 'operator' | 'apiKeyId' | 'createdAt' | 'lastSeenAt' | 'expiresAt'>
> {
  /** Name of an admin's organisation; null for an operator. */
  readonly organisation: string | null;
  /** Label of the key. */
  readonly keyLabel: string | null;
}
