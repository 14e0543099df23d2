import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '../common/errors.js';
import { ENVIRONMENT } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';
import type { Caller } from './caller.js';
import { RateLimiterService } from './rate-limiter.service.js';

/** The optional limit on an organisation's data-import requests. Without it nothing is counted and nothing asked. */
@Injectable()
export class RequestLimitService {
  constructor(
    private readonly allowance: RateLimiterService,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * Let one request in.
   *
   * @throws AppError `throttled` with `Retry-After` in seconds, when the organisation has used up its allowance
   * Source: contract A9 and the setting REQUESTS_PER_MINUTE.
   */
  async admit({ organisationId }: Caller): Promise<void> {
    const perMinute = this.environment.REQUESTS_PER_MINUTE;
    if (perMinute === undefined) return;
    const waitSeconds = await this.allowance.spend(`organisation:${organisationId}`, perMinute);
    if (waitSeconds === 0) return;
    throw new AppError('throttled', {
      detail: `The organisation may send ${perMinute} requests a minute; wait ${waitSeconds} s before the next one.`,
      headers: { 'retry-after': String(waitSeconds) },
    });
  }
}
