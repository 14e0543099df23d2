import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { AppError, type ErrorCode } from '../common/errors.js';
import { ApiKeyStatusCache, type Access } from './api-key-status.cache.js';
import type { Caller } from './caller.js';
import { TokenService, type TokenClaims, type TokenUse } from './token.service.js';

/** Why a token is not accepted. */
export type TokenProblem = Extract<ErrorCode, 'authentication_failed' | 'token_expired' | 'token_revoked'>;

/** A token that is accepted, or why it is not. */
export type TokenOutcome =
  { readonly claims: TokenClaims; readonly access: Access } | { readonly problem: TokenProblem };

/** Says who is calling. */
@Injectable()
export class AuthService {
  constructor(
    private readonly tokens: TokenService,
    private readonly register: ApiKeyStatusCache,
    private readonly clock: Clock,
  ) {}

  /**
   * The caller that an `Authorization` header names.
   *
   * @param header `Token <t>`, `Bearer <t>` or the bare token (contract A5)
   * @throws AppError `not_authenticated`, `authentication_failed`, `token_expired` or `token_revoked`
   * Source: specification 5; contract A5, A7, T4.
   */
  async authenticate(header: string | undefined, requestId: string): Promise<Caller> {
    const token = tokenIn(header);
    if (token === undefined) throw new AppError('not_authenticated');
    const outcome = await this.examine('access', token);
    if ('problem' in outcome) throw new AppError(outcome.problem);
    const { claims, access } = outcome;
    return {
      organisationId: access.organisationId,
      organisationName: access.organisationName,
      apiKeyId: claims.key,
      requestId,
    };
  }

  /** Whether a token is accepted now: ours, in its time, its key still good, its generation not ended. */
  async examine(use: TokenUse, token: string): Promise<TokenOutcome> {
    const verification = this.tokens.verify(use, token);
    if ('problem' in verification) {
      return { problem: verification.problem === 'expired' ? 'token_expired' : 'authentication_failed' };
    }
    const { claims } = verification;
    const access = await this.register.find(claims.key, claims.gen);
    if (access?.organisationId !== claims.sub) return { problem: 'authentication_failed' };
    if (access.isRevoked || access.generation !== claims.gen) return { problem: 'token_revoked' };
    if (access.expiresAtMs <= this.clock.now().getTime()) return { problem: 'token_expired' };
    return { claims, access };
  }
}

/** @returns nothing when there is no header; what is not a token is left to be refused as one */
function tokenIn(header: string | undefined): string | undefined {
  return header?.trim().replace(/^(?:Token|Bearer)(?:\s+|$)/i, '');
}
