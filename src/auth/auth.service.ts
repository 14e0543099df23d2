import { Injectable } from '@nestjs/common';
import { Clock } from '../infrastructure/clock/clock.js';
import { AppError, type ErrorCode } from '../infrastructure/errors/errors.js';
import type { RequestOrigin } from '../infrastructure/log/request-origin.js';
import type { Caller, PlatformCaller } from './caller.js';
import { KeyStatusCache, type KeyStatus } from './key-status.cache.js';
import { isOfPlatform, TokenService, type TokenClaims, type TokenUse } from './token.service.js';

/** The reason why a token is not accepted. */
export type TokenProblem = Extract<ErrorCode, 'authentication_failed' | 'token_expired' | 'token_revoked'>;

/** An accepted token, with the status of its key. */
interface AcceptedToken {
  readonly claims: TokenClaims;
  readonly status: KeyStatus;
}

/** An accepted token, or the reason why it is not accepted. */
export type TokenOutcome = AcceptedToken | { readonly problem: TokenProblem };

/** Authenticates callers by their tokens. */
@Injectable()
export class AuthService {
  constructor(
    private readonly tokens: TokenService,
    private readonly keys: KeyStatusCache,
    private readonly clock: Clock,
  ) {}

  /**
   * Find the organisation's caller by the token in the `Authorization` header. Call it as soon as the request's headers have arrived.
   *
   * @param header `Token <t>`, `Bearer <t>`, `JWT <t>` or the bare token (choice A5)
   * @throws AppError `not_authenticated`, `authentication_failed`, `token_expired` or `token_revoked`; `not_found` for a platform
   *   token, which is for other routes
   * Source: specification 5; choices A5, A7, E5, T4.
   */
  async authenticate(header: string | undefined, origin: RequestOrigin): Promise<Caller> {
    const request = requestNow(origin);
    const { claims, status } = await this.accept(header);
    if (isOfPlatform(claims)) throw new AppError('not_found');
    return Object.assign(request, {
      claims,
      organisationId: status.subject,
      organisationName: status.name,
      apiKeyId: claims.key,
    });
  }

  /**
   * Find the platform's caller, as {@link authenticate} finds an organisation's.
   *
   * @throws AppError as {@link authenticate}, but `not_found` for an organisation's token
   * Source: choices A5, A7, E5, T4.
   */
  async authenticatePlatform(header: string | undefined, origin: RequestOrigin): Promise<PlatformCaller> {
    const request = requestNow(origin);
    const { claims, status } = await this.accept(header);
    if (!isOfPlatform(claims)) throw new AppError('not_found');
    return Object.assign(request, {
      claims,
      keyId: claims.key,
      name: status.name,
      importSupplierId: status.importSupplierId,
    });
  }

  /**
   * Check a token: its signature and expiry, its key, and that its version is the organisation's current one.
   *
   * Source: choices A4, A7.
   */
  async check(use: TokenUse, token: string): Promise<TokenOutcome> {
    const verification = this.tokens.verify(use, token);
    if ('problem' in verification) {
      return { problem: verification.problem === 'expired' ? 'token_expired' : 'authentication_failed' };
    }
    return this.judge(verification.claims);
  }

  /**
   * Check the key behind the claims. The token's own expiry is not checked again, because an answer may outlast it.
   *
   * Source: choices A7, T20.
   */
  async judge(claims: TokenClaims): Promise<TokenOutcome> {
    const status = await this.keys.find(claims);
    if (status?.subject !== claims.sub) return { problem: 'authentication_failed' };
    if (status.isRevoked || status.tokenVersion !== claims.gen) return { problem: 'token_revoked' };
    if (status.expiresAtMs <= this.clock.now().getTime()) return { problem: 'token_expired' };
    return { claims, status };
  }

  /** @throws AppError */
  private async accept(header: string | undefined): Promise<AcceptedToken> {
    const token = tokenIn(header);
    if (token === undefined) throw new AppError('not_authenticated');
    const outcome = await this.check('access', token);
    if ('problem' in outcome) throw new AppError(outcome.problem, detailOf(token));
    return outcome;
  }
}

/** Names a scheme that {@link tokenIn} does not know. @param token contains a blank only if such a scheme precedes it */
function detailOf(token: string): { readonly detail?: string } {
  const [, scheme] = /^([!#$%&'*+.^`|~\w-]{1,32})\s/.exec(token) ?? [];
  return scheme === undefined
    ? {}
    : { detail: `The scheme ${scheme} is not known. Send "Authorization: Token", a space, and the token.` };
}

/** The part of a caller that comes from its request. The time is when the headers arrived. */
function requestNow({ requestId, traceId }: RequestOrigin): RequestOrigin & Pick<Caller, 'receivedAtMs'> {
  return { receivedAtMs: performance.now(), requestId, traceId };
}

/** @returns undefined when there is no header; any other value is checked as a token */
function tokenIn(header: string | undefined): string | undefined {
  return header?.trim().replace(/^(?:Token|Bearer|JWT)(?:\s+|$)/i, '');
}
