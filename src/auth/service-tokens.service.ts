import { Injectable } from '@nestjs/common';
import { ApiKeysService } from './api-keys.service.js';
import { AuthService, type TokenProblem } from './auth.service.js';
import type { Caller } from './caller.js';
import { OperationError, type GraphqlErrorCode } from './graphql/graphql-errors.js';
import { KeyStatusCache } from './key-status.cache.js';
import { OrganisationsService } from './organisations.service.js';
import { TokenFailuresService } from './token-failures.service.js';
import { PlatformKeysService } from './platform-keys.service.js';
import { isOfPlatform, TokenService, type TokenClaims, type TokenSubject } from './token.service.js';

/** An API key or a refresh token: exactly one of the two. */
export interface Credentials {
  readonly apiKey?: string | null;
  readonly refreshToken?: string | null;
}

/** A token, and the refresh token that obtains the next one. */
export interface ServiceToken {
  readonly token: string;
  /** Claims of the token. */
  readonly payload: TokenClaims;
  readonly refreshToken: string;
  /** Unix time in seconds. */
  readonly refreshExpiresIn: number;
}

/** The owner of a credential, or the reason why it is not accepted. */
type Verification =
  | { readonly subject: TokenSubject; readonly refreshExpiresAt?: number }
  | { readonly rejection: GraphqlErrorCode };

const REFRESH_PROBLEMS: Readonly<Record<TokenProblem, GraphqlErrorCode>> = {
  authentication_failed: 'REFRESH_TOKEN_INVALID',
  token_expired: 'REFRESH_TOKEN_EXPIRED',
  token_revoked: 'TOKEN_REVOKED',
};

/** Issues tokens and revokes them. */
@Injectable()
export class ServiceTokensService {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly platformKeys: PlatformKeysService,
    private readonly organisations: OrganisationsService,
    private readonly auth: AuthService,
    private readonly tokens: TokenService,
    private readonly keyStatuses: KeyStatusCache,
    private readonly failures: TokenFailuresService,
  ) {}

  /**
   * Obtain a token with an organisation's API key, with a platform key, or with the refresh token of an earlier answer.
   *
   * A refresh token can be used more than once, so that a caller who lost the answer can retry. The new refresh token expires
   * when the first one does, so that the caller eventually needs a key again. No token outlives its key.
   *
   * @param address network address of the caller, for which failed calls are counted
   * @throws OperationError `INVALID_INPUT`, `AUTHENTICATION_FAILED`, `REFRESH_TOKEN_INVALID`, `REFRESH_TOKEN_EXPIRED`,
   *   `TOKEN_REVOKED` or `THROTTLED`
   * Source: specification 5; choices A1, A3, A6, A9, E5.
   */
  async obtain(credentials: Credentials, address: string): Promise<ServiceToken> {
    requireOneOf(credentials);
    const verification = await this.verify(credentials);
    if ('rejection' in verification) throw await this.failureOf(verification.rejection, address);
    return this.issue(verification.subject, verification.refreshExpiresAt);
  }

  /**
   * Revoke every token and refresh token that was issued to an organisation until now.
   *
   * @returns the time from which new tokens are valid
   * Source: choices A4, A7, O6.
   */
  async revokeAll({ organisationId, apiKeyId }: Caller): Promise<Date> {
    const effectiveAt = await this.organisations.revokeTokens(organisationId, `api key ${apiKeyId}`);
    this.keyStatuses.clear();
    return effectiveAt;
  }

  /** @returns the error of the rejection, or `THROTTLED` when the address has reached its limit */
  private async failureOf(rejection: GraphqlErrorCode, address: string): Promise<OperationError> {
    const waitSeconds = await this.failures.count(address);
    if (waitSeconds === 0) return new OperationError(rejection);
    return new OperationError('THROTTLED', `Too many failed calls; try again in ${waitSeconds} seconds.`);
  }

  private async verify({ apiKey, refreshToken }: Credentials): Promise<Verification> {
    if (typeof refreshToken === 'string') return this.verifyRefreshToken(refreshToken);
    // The prefix tells the type of a key, so at most one of these calls looks it up.
    const key = apiKey ?? '';
    const subject = (await this.apiKeys.verify(key)) ?? (await this.platformKeys.verify(key));
    return subject ? { subject } : { rejection: 'AUTHENTICATION_FAILED' };
  }

  private async verifyRefreshToken(token: string): Promise<Verification> {
    const outcome = await this.auth.check('refresh', token);
    if ('problem' in outcome) return { rejection: REFRESH_PROBLEMS[outcome.problem] };
    const { claims, status } = outcome;
    const keys = isOfPlatform(claims) ? this.platformKeys : this.apiKeys;
    await keys.recordUse(claims.key);
    const keyExpiresAt = Math.ceil(status.expiresAtMs / 1_000);
    const { aud, sub, key, gen } = claims;
    const subject = { ...(aud && { aud }), sub, key, gen, keyExpiresAt };
    return { subject, refreshExpiresAt: claims.exp };
  }

  private issue(subject: TokenSubject, refreshExpiresAt?: number): ServiceToken {
    const access = this.tokens.issue('access', subject);
    const refresh = this.tokens.issue('refresh', subject, refreshExpiresAt);
    return {
      token: access.token,
      payload: access.claims,
      refreshToken: refresh.token,
      refreshExpiresIn: refresh.claims.exp,
    };
  }
}

/** @throws OperationError `INVALID_INPUT` */
function requireOneOf({ apiKey, refreshToken }: Credentials): void {
  const given = [apiKey, refreshToken].filter((credential) => typeof credential === 'string');
  if (given.length !== 1) {
    throw new OperationError('INVALID_INPUT', 'Exactly one of apiKey and refreshToken must be given.');
  }
  if (given[0]?.trim() === '') {
    throw new OperationError('INVALID_INPUT', 'The apiKey or refreshToken must not be blank.');
  }
}
