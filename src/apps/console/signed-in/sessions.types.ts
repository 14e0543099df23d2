/** The owner of a session. */
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

/** A session that has just begun. */
export interface NewSession {
  readonly id: string;
  /** Goes into the cookie. It is never logged, and stored only as a hash. */
  readonly secret: string;
  readonly expiresAt: Date;
}

/** A session that has not ended. */
export interface LiveSession {
  readonly id: string;
  /** Null for an admin. */
  readonly operator: string | null;
  /** Name of an admin's organisation; null for an operator. */
  readonly organisation: string | null;
  readonly apiKeyId: string | null;
  /** Label of the admin's API key. */
  readonly keyLabel: string | null;
  readonly createdAt: Date;
  /** Precise to the minute. */
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}
