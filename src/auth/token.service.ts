import { createHash, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { createDecoder, createSigner, createVerifier, TokenError } from 'fast-jwt';
import { Clock } from '../common/clock.js';
import { ENVIRONMENT } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';

const ISSUER = 'data-import';
const ALGORITHM = 'HS256';
/** Verified tokens that are remembered, so that a busy caller's signature is computed once; beyond it the oldest goes. */
const REMEMBERED_MAX = 10_000;

/** What a token is good for. A refresh token opens no endpoint, a token refreshes nothing. */
export type TokenUse = 'access' | 'refresh';

/** The claims of a token; `iat` and `exp` are Unix times in seconds. */
export interface TokenClaims {
  readonly iss: string;
  /** Id of the organisation. */
  readonly sub: string;
  /** Id of the API key it was obtained with. */
  readonly key: string;
  /** Generation of the organisation's tokens it belongs to (contract A4). */
  readonly gen: number;
  readonly use: TokenUse;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
}

/** Whom a token is for. */
export interface TokenSubject {
  readonly organisationId: string;
  readonly apiKeyId: string;
  readonly generation: number;
  /** Unix time in seconds at which the API key ends; none of its tokens names a later one. */
  readonly keyEndsAt?: number;
}

export type Verification = { readonly claims: TokenClaims } | { readonly problem: 'invalid' | 'expired' };

/**
 * Signs and verifies tokens (JWT, HMAC-SHA-256). The first configured key signs, all of them verify, so a key is
 * replaced without anybody being logged out.
 *
 * Source: contract A3 and the setting TOKEN_SIGNING_KEY.
 */
@Injectable()
export class TokenService {
  private readonly sign: (claims: Omit<TokenClaims, 'iss'>) => string;
  private readonly verifiers: ReadonlyMap<string, (token: string) => TokenClaims>;
  private readonly decode = createDecoder({ complete: true });
  /** By the whole token: the library's own cache would compute a hash for every look. */
  private readonly remembered = new Map<string, TokenClaims>();

  constructor(
    private readonly clock: Clock,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {
    const keys = environment.TOKEN_SIGNING_KEY ?? [];
    const [first] = keys;
    if (first === undefined) throw new Error('There is no token signing key.');
    this.sign = createSigner({ key: first, algorithm: ALGORITHM, kid: keyId(first), iss: ISSUER });
    this.verifiers = new Map(keys.map((key) => [keyId(key), verifier(key)]));
  }

  /** @param endsAt Unix time in seconds; without it the configured lifetime counts from now */
  issue(use: TokenUse, subject: TokenSubject, endsAt?: number): { token: string; claims: TokenClaims } {
    const { TOKEN_TTL_SECONDS, REFRESH_TOKEN_TTL_SECONDS } = this.environment;
    const iat = Math.floor(this.clock.now().getTime() / 1_000);
    const claims = {
      sub: subject.organisationId,
      key: subject.apiKeyId,
      gen: subject.generation,
      use,
      jti: randomUUID(),
      iat,
      exp: Math.min(
        endsAt ?? iat + (use === 'access' ? TOKEN_TTL_SECONDS : REFRESH_TOKEN_TTL_SECONDS),
        subject.keyEndsAt ?? Infinity,
      ),
    };
    return { token: this.sign(claims), claims: { iss: ISSUER, ...claims } };
  }

  /** Whether a token is one of ours, for this use, and its time is not over. Whether it was revoked is asked elsewhere. */
  verify(use: TokenUse, token: string): Verification {
    try {
      const claims = this.remembered.get(token) ?? this.examine(token);
      if (claims?.use !== use) return { problem: 'invalid' };
      // The library, whose clock this is, lets a token through in the very moment that it ends.
      return Date.now() < claims.exp * 1_000 ? { claims } : { problem: 'expired' };
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      return { problem: error.code === TokenError.codes.expired ? 'expired' : 'invalid' };
    }
  }

  /** @throws TokenError when it is not good; nothing is returned when no key of ours could have signed it */
  private examine(token: string): TokenClaims | undefined {
    const claims = this.verifiers.get(this.keyIdOf(token))?.(token);
    if (claims) {
      this.remembered.set(token, claims);
      const [oldest] = this.remembered.keys();
      if (this.remembered.size > REMEMBERED_MAX && oldest !== undefined) this.remembered.delete(oldest);
    }
    return claims;
  }

  private keyIdOf(token: string): string {
    if (this.verifiers.size === 1) return [...this.verifiers.keys()][0] ?? '';
    const { header } = this.decode(token) as { header: { kid?: string } };
    return header.kid ?? '';
  }
}

function verifier(key: string): (token: string) => TokenClaims {
  return createVerifier({
    key,
    algorithms: [ALGORITHM],
    allowedIss: ISSUER,
    requiredClaims: ['iss', 'sub', 'key', 'gen', 'use', 'jti', 'iat', 'exp'],
  }) as (token: string) => TokenClaims;
}

/** Names a key without giving it away. */
function keyId(key: string): string {
  return createHash('sha256').update(`token key ${key}`).digest('base64url').slice(0, 12);
}
