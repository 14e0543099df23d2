import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';
import { ApiKeyStatusCache } from './api-key-status.cache.js';
import { ApiKeysService } from './api-keys.service.js';
import { AuthService, type TokenProblem } from './auth.service.js';
import { clientSubject } from './client-subject.js';
import { OperationError, type GraphqlErrorCode } from './graphql/graphql-errors.js';
import { OrganisationsService } from './organisations.service.js';
import { RateLimiterService } from './rate-limiter.service.js';
import { TokenService, type TokenClaims, type TokenSubject } from './token.service.js';
import { Mutex } from './mutex.js';

/** What a token is obtained with. */
export interface Credentials {
  readonly apiKey?: string | null;
  readonly refreshToken?: string | null;
}

/** A token, and what obtains the next one. */
export interface ServiceToken {
  readonly token: string;
  /** Claims of the token. */
  readonly payload: TokenClaims;
  readonly refreshToken: string;
  /** Unix time in seconds. */
  readonly refreshExpiresIn: number;
}

/** Whom a credential stands for, or why it is not accepted. */
type Recognition =
  | { readonly subject: TokenSubject; readonly refreshEndsAt?: number }
  | { readonly refusal: GraphqlErrorCode };

const REFRESH_PROBLEMS: Readonly<Record<TokenProblem, GraphqlErrorCode>> = {
  authentication_failed: 'REFRESH_TOKEN_INVALID',
  token_expired: 'REFRESH_TOKEN_EXPIRED',
  token_revoked: 'TOKEN_REVOKED',
};

/** Not that they failed: there are more of them than are kept waiting. */
const TOO_MANY_WAIT =
  'Too many calls from this address wait for each other; wait a few seconds before the next one.';

/** Gives out tokens, and takes them all back. */
@Injectable()
export class ServiceTokensService {
  private readonly turns = new Mutex();

  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly organisations: OrganisationsService,
    private readonly auth: AuthService,
    private readonly tokens: TokenService,
    private readonly register: ApiKeyStatusCache,
    private readonly allowance: RateLimiterService,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * Obtain a token with an API key, or with the refresh token that came with an earlier one.
   *
   * A refresh token can be used again, so a caller who lost the answer tries once more; the new one ends when the first
   * would have, so that an API key has to be shown again in the end. Neither is said to outlive the key.
   *
   * @param credentials exactly one of the two
   * @param address network address of the caller; failed attempts are counted against it
   * @throws OperationError `INVALID_INPUT`, `AUTHENTICATION_FAILED`, `REFRESH_TOKEN_INVALID`, `REFRESH_TOKEN_EXPIRED`,
   *   `TOKEN_REVOKED` or `THROTTLED`
   * Source: specification 5; contract A1, A3, A6, A9.
   */
  async obtain(credentials: Credentials, address: string): Promise<ServiceToken> {
    const recognise = this.recogniser(credentials);
    const subject = `token:${clientSubject(address)}`;
    // One attempt of an address at a time: many good ones at once are then never mistaken for failed ones.
    const recognition = await this.turns.take(subject, () => this.attempt(subject, recognise));
    if (!recognition) throw new OperationError('THROTTLED', TOO_MANY_WAIT);
    if ('refusal' in recognition) throw new OperationError(recognition.refusal);
    return this.issue(recognition);
  }

  /**
   * Revoke every token and refresh token that was issued to an organisation until now.
   *
   * @returns the moment from which new ones are good
   * Source: contract A4, A7.
   */
  async revokeAll(organisationId: string): Promise<Date> {
    const effectiveAt = await this.organisations.endGeneration(organisationId);
    this.register.forget();
    return effectiveAt;
  }

  private recogniser({ apiKey, refreshToken }: Credentials): () => Promise<Recognition> {
    const key = apiKey ?? undefined;
    const token = refreshToken ?? undefined;
    if ((key === undefined) === (token === undefined)) {
      throw new OperationError('INVALID_INPUT', 'Exactly one of apiKey and refreshToken must be given.');
    }
    if (key?.trim() === '' || token?.trim() === '') {
      throw new OperationError('INVALID_INPUT', 'The apiKey or refreshToken must not be blank.');
    }
    return key === undefined ? () => this.recogniseToken(token ?? '') : () => this.recogniseKey(key);
  }

  /**
   * An attempt is paid for before it is looked at, and the price given back unless it was refused, so that guesses cannot
   * slip through side by side, not even on several instances. A failure of ours is not the caller's: it tells nothing of
   * the credential, so there is nothing to be guessed with it.
   *
   * @throws OperationError `THROTTLED`
   */
  private async attempt(subject: string, recognise: () => Promise<Recognition>): Promise<Recognition> {
    const perMinute = this.environment.TOKEN_FAILURES_PER_MINUTE;
    const waitSeconds = await this.allowance.spend(subject, perMinute);
    if (waitSeconds > 0) {
      throw new OperationError('THROTTLED', `Too many failed attempts; try again in ${waitSeconds} seconds.`);
    }
    const recognition = await recognise().catch(async (error: unknown) => {
      // A database that fails again has nothing to add to its first failure.
      await Promise.allSettled([this.allowance.giveBack(subject, perMinute)]);
      throw error;
    });
    if ('subject' in recognition) await this.allowance.giveBack(subject, perMinute);
    return recognition;
  }

  private async recogniseKey(key: string): Promise<Recognition> {
    const subject = await this.apiKeys.recognise(key);
    return subject ? { subject } : { refusal: 'AUTHENTICATION_FAILED' };
  }

  private async recogniseToken(token: string): Promise<Recognition> {
    const outcome = await this.auth.examine('refresh', token);
    if ('problem' in outcome) return { refusal: REFRESH_PROBLEMS[outcome.problem] };
    const { sub, key, gen, exp } = outcome.claims;
    await this.apiKeys.recordUse(key);
    const keyEndsAt = outcome.access.expiresAtMs / 1_000;
    return {
      subject: { organisationId: sub, apiKeyId: key, generation: gen, keyEndsAt: Math.ceil(keyEndsAt) },
      refreshEndsAt: exp,
    };
  }

  private issue({ subject, refreshEndsAt }: Extract<Recognition, { subject: unknown }>): ServiceToken {
    const access = this.tokens.issue('access', subject);
    const refresh = this.tokens.issue('refresh', subject, refreshEndsAt);
    return {
      token: access.token,
      payload: access.claims,
      refreshToken: refresh.token,
      refreshExpiresIn: refresh.claims.exp,
    };
  }
}
