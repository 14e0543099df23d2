import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '../infrastructure/errors/errors.js';
import { ENVIRONMENT, type Environment } from '../infrastructure/config/settings.js';
import { RateLimiterService } from './rate-limiter.service.js';

/**
 * Limits the requests of one organisation, or of one platform key, if REQUESTS_PER_MINUTE is set. Without the setting it sends
 * no query. Obtaining a token does not count, so a caller at its limit can still renew its token.
 */
@Injectable()
export class RequestLimitService {
  constructor(
    private readonly rateLimiter: RateLimiterService,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * Count one request.
   *
   * @param requester id of the organisation or of the platform key
   * @throws AppError `throttled` with `Retry-After` in seconds, when the limit is reached
   * Source: choice A9 and the setting REQUESTS_PER_MINUTE.
   */
  async admit(requester: string): Promise<void> {
    const perMinute = this.environment.REQUESTS_PER_MINUTE;
    if (perMinute === undefined) return;
    const waitSeconds = await this.rateLimiter.consume(`organisation:${requester}`, perMinute);
    if (waitSeconds === 0) return;
    throw new AppError('throttled', {
      detail: `No more than ${perMinute} requests a minute are allowed; wait ${waitSeconds} s before the next one.`,
      headers: { 'retry-after': String(waitSeconds) },
    });
  }
}
