import { createHash, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { createDecoder, createSigner, createVerifier, TokenError } from 'fast-jwt';
import { BoundedMap } from '../infrastructure/limits/bounded-map.js';
import { Clock } from '../infrastructure/clock/clock.js';
import { ENVIRONMENT, type Environment } from '../infrastructure/config/settings.js';

const ISSUER = 'data-import';
const ALGORITHM = 'HS256';
/** Verified tokens are cached, so that each signature is computed once. Beyond this number, the oldest is evicted. */
const CACHED_MAX = 10_000;

/** The use of a token: `access` for requests, `refresh` for obtaining the next token. Neither works in place of the other. */
export type TokenUse = 'access' | 'refresh';

/** The claim `aud` in the tokens of platform keys. An organisation's tokens have no such claim. */
const PLATFORM = 'platform';
/** The claim `gen` in the tokens of platform keys. It is constant, because such a token is only revoked together with its key. */
export const PLATFORM_TOKEN_VERSION = 1;

/** The claims of a token; `iat` and `exp` are Unix times in seconds. */
export interface TokenClaims {
  readonly iss: string;
  /** Present only in a platform token (choice E5). */
  readonly aud?: typeof PLATFORM;
  /** Id of the organisation, or of the platform key. */
  readonly sub: string;
  /** Id of the API key or platform key with which the token was obtained. */
  readonly key: string;
  /** The organisation's token version when the token was issued (choice A4). */
  readonly gen: number;
  readonly use: TokenUse;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
}

/** The claims about the owner of a token. */
export interface TokenSubject extends Pick<TokenClaims, 'aud' | 'sub' | 'key' | 'gen'> {
  /** Unix time in seconds at which the key expires; no token expires later. */
  readonly keyExpiresAt?: number;
}

export type Verification = { readonly claims: TokenClaims } | { readonly problem: 'invalid' | 'expired' };

/**
 * Signs and verifies tokens (JWT, HMAC-SHA-256). The first configured key signs and every configured key verifies, so that
 * a signing key can be replaced while its tokens stay valid.
 *
 * Source: choice A3 and the setting TOKEN_SIGNING_KEY.
 */
@Injectable()
export class TokenService {
  private readonly sign: (claims: Omit<TokenClaims, 'iss'>) => string;
  private readonly verifiers: ReadonlyMap<string, (token: string) => TokenClaims>;
  private readonly decode = createDecoder({ complete: true });
  /** Keyed by the whole token, because the library's own cache computes a hash at every look-up. */
  private readonly cache = new BoundedMap<string, TokenClaims>(CACHED_MAX);

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

  /** @param expiresAt Unix time in seconds; by default the configured lifetime from now */
  issue(use: TokenUse, subject: TokenSubject, expiresAt?: number): { token: string; claims: TokenClaims } {
    const { TOKEN_TTL_SECONDS, REFRESH_TOKEN_TTL_SECONDS } = this.environment;
    const iat = Math.floor(this.clock.now().getTime() / 1_000);
    const { keyExpiresAt = Infinity, ...owner } = subject;
    const claims = {
      ...owner,
      use,
      jti: randomUUID(),
      iat,
      exp: Math.min(
        expiresAt ?? iat + (use === 'access' ? TOKEN_TTL_SECONDS : REFRESH_TOKEN_TTL_SECONDS),
        keyExpiresAt,
      ),
    };
    return { token: this.sign(claims), claims: { iss: ISSUER, ...claims } };
  }

  /** Check the signature, the use and the expiry of a token. {@link AuthService.check} finds out whether it was revoked. */
  verify(use: TokenUse, token: string): Verification {
    try {
      const claims = this.cache.get(token) ?? this.verifySignature(token);
      if (claims?.use !== use) return { problem: 'invalid' };
      // The library still accepts a token at the instant of its expiry. This check reads the library's clock, so the two agree.
      return Date.now() < claims.exp * 1_000 ? { claims } : { problem: 'expired' };
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      return { problem: error.code === TokenError.codes.expired ? 'expired' : 'invalid' };
    }
  }

  /** @returns undefined when the token names no configured key; @throws TokenError when it is not valid */
  private verifySignature(token: string): TokenClaims | undefined {
    const claims = this.verifiers.get(this.keyIdOf(token))?.(token);
    if (claims) this.cache.set(token, claims);
    return claims;
  }

  private keyIdOf(token: string): string {
    if (this.verifiers.size === 1) return [...this.verifiers.keys()][0] ?? '';
    const { header } = this.decode(token) as { header: { kid?: string } };
    return header.kid ?? '';
  }
}

/** The claims for a token that a platform key owns. */
export function platformSubject(key: string, keyExpiresAt: number): TokenSubject {
  return { aud: PLATFORM, sub: key, key, gen: PLATFORM_TOKEN_VERSION, keyExpiresAt };
}

/** Whether a token belongs to a platform key. */
export function isOfPlatform({ aud }: Pick<TokenClaims, 'aud'>): boolean {
  return aud === PLATFORM;
}

function verifier(key: string): (token: string) => TokenClaims {
  return createVerifier({
    key,
    algorithms: [ALGORITHM],
    allowedIss: ISSUER,
    requiredClaims: ['iss', 'sub', 'key', 'gen', 'use', 'jti', 'iat', 'exp'],
  }) as (token: string) => TokenClaims;
}

/** Identifies a signing key without revealing it. */
function keyId(key: string): string {
  return createHash('sha256').update(`token key ${key}`).digest('base64url').slice(0, 12);
}
