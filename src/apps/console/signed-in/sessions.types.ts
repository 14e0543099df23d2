/** Who a session belongs to. */
export type SessionOwner = { readonly operator: string } | SessionOfKey;

/** An admin of the key's organisation, whose tokens had this version at the sign-in. */
export interface SessionOfKey {
  readonly apiKeyId: string;
  readonly tokenVersion: number;
}

/** A link with which an operator signs in once. */
export interface SignInLink {
  /** The secret part of its address; never logged, and stored as a hash only. */
  readonly code: string;
  readonly operator: string;
  readonly expiresAt: Date;
}

/** A session that was just begun. */
export interface NewSession {
  readonly id: string;
  /** Goes into the cookie; never logged, and stored as a hash only. */
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
  /** Label of the key. */
  readonly keyLabel: string | null;
  readonly createdAt: Date;
  /** To the minute. */
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}
