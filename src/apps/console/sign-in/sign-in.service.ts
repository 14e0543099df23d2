import { Injectable } from '@nestjs/common';
import { ApiKeysService } from '../../../auth/api-keys.service.js';
import { RateLimiterService } from '../../../auth/rate-limiter.service.js';
import { TokenFailuresService } from '../../../auth/token-failures.service.js';
import { SessionsService } from '../signed-in/sessions.service.js';
import type { SignedInUser } from '../signed-in/signed-in-user.js';
import type { SignInOutcome } from './sign-in.types.js';

const SIGN_INS_PER_MINUTE = 10;

/** A browser that wants to sign in. */
export interface Visitor {
  /** Network address, by which failed sign-ins are counted. */
  readonly address: string;
  /** The user whose session the new one replaces. */
  readonly user: SignedInUser | undefined;
}

/** Signs users in. */
@Injectable()
export class SignInService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly apiKeys: ApiKeysService,
    private readonly failures: TokenFailuresService,
    private readonly rateLimiter: RateLimiterService,
  ) {}

  /**
   * Sign an admin in with an API key of the organisation. A rejected key counts as a failed token call of the address.
   *
   * Source: choices A9, A10, C1.
   */
  async withApiKey(key: string, { address, user }: Visitor): Promise<SignInOutcome> {
    const subject = await this.apiKeys.verify(key.trim(), 'sign_in');
    if (!subject) return this.fail(address);
    const { key: apiKeyId, gen: tokenVersion } = subject;
    const waitSeconds = await this.rateLimiter.consume(`sign-in:${apiKeyId}`, SIGN_INS_PER_MINUTE);
    if (waitSeconds > 0) return { problem: 'throttled', limit: 'key', waitSeconds };
    return { session: await this.sessions.beginWithApiKey({ apiKeyId, tokenVersion }, user) };
  }

  /**
   * Sign an operator in with the code of a link, once.
   *
   * Source: choices A9, C1.
   */
  async withCode(code: string, { address, user }: Visitor): Promise<SignInOutcome> {
    const session = await this.sessions.beginWithCode(code, user);
    return session ? { session } : this.fail(address);
  }

  private async fail(address: string): Promise<SignInOutcome> {
    const waitSeconds = await this.failures.count(address);
    return waitSeconds === 0
      ? { problem: 'not_accepted' }
      : { problem: 'throttled', limit: 'address', waitSeconds };
  }
}
