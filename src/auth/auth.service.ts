import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { AppError, type ErrorCode } from '../common/errors.js';
import type { RequestOrigin } from '../common/request-origin.js';
import { ApiKeyStatusCache, type ApiKeyStatus } from './api-key-status.cache.js';
import type { Caller } from './caller.js';
import { TokenService, type TokenClaims, type TokenUse } from './token.service.js';

/** Why a token is not accepted. */
export type TokenProblem = Extract<ErrorCode, 'authentication_failed' | 'token_expired' | 'token_revoked'>;

/** A token that is accepted with the status of its API key, or why it is not. */
export type TokenOutcome =
  { readonly claims: TokenClaims; readonly status: ApiKeyStatus } | { readonly problem: TokenProblem };

/** Authenticates callers by their token. */
@Injectable()
export class AuthService {
  constructor(
    private readonly tokens: TokenService,
    private readonly keyStatuses: ApiKeyStatusCache,
    private readonly clock: Clock,
  ) {}

  /**
   * Find the caller whose token an `Authorization` header holds; to be called when the headers of the request are there.
   *
   * @param header `Token <t>`, `Bearer <t>` or the bare token (choice A5)
   * @throws AppError `not_authenticated`, `authentication_failed`, `token_expired` or `token_revoked`
   * Source: specification 5; choices A5, A7, T4.
   */
  async authenticate(header: string | undefined, origin: RequestOrigin): Promise<Caller> {
    const receivedAtMs = performance.now();
    const token = tokenIn(header);
    if (token === undefined) throw new AppError('not_authenticated');
    const outcome = await this.check('access', token);
    if ('problem' in outcome) throw new AppError(outcome.problem);
    const { claims, status } = outcome;
    return {
      organisationId: status.organisationId,
      organisationName: status.organisationName,
      apiKeyId: claims.key,
      receivedAtMs,
      requestId: origin.requestId,
      traceId: origin.traceId,
    };
  }

  /**
   * Check a token: its signature and expiry, its API key, and its version against that of the organisation.
   *
   * Source: choices A4, A7.
   */
  async check(use: TokenUse, token: string): Promise<TokenOutcome> {
    const verification = this.tokens.verify(use, token);
    if ('problem' in verification) {
      return { problem: verification.problem === 'expired' ? 'token_expired' : 'authentication_failed' };
    }
    const { claims } = verification;
    const status = await this.keyStatuses.find(claims.key, claims.gen);
    if (status?.organisationId !== claims.sub) return { problem: 'authentication_failed' };
    if (status.isRevoked || status.tokenVersion !== claims.gen) return { problem: 'token_revoked' };
    if (status.expiresAtMs <= this.clock.now().getTime()) return { problem: 'token_expired' };
    return { claims, status };
  }
}

/** @returns nothing when there is no header; anything else is checked as a token */
function tokenIn(header: string | undefined): string | undefined {
  return header?.trim().replace(/^(?:Token|Bearer)(?:\s+|$)/i, '');
}
