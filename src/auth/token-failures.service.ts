import { Inject, Injectable } from '@nestjs/common';
import { FairQueue } from '../infrastructure/limits/fair-queue.js';
import { ENVIRONMENT, type Environment } from '../infrastructure/config/settings.js';
import { clientSubject } from './client-subject.js';
import { RateLimiterService } from './rate-limiter.service.js';

/** Limits the failed calls for a token and the failed console sign-ins of one address, counted together. */
@Injectable()
export class TokenFailuresService {
  /** Counts one failure at a time for each address. */
  private readonly failures = new FairQueue(Infinity, 1);

  constructor(
    private readonly rateLimiter: RateLimiterService,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * Count a failed call. A call with a valid credential is never counted or limited, whatever other callers at its address do.
   * A call that fails because of the service is not counted, because its answer reveals nothing about the credential.
   *
   * The failures of an address are counted one at a time, so that a flood of them occupies only one database connection.
   *
   * @param address network address of the caller
   * @returns 0 while the address is below its limit; otherwise the whole seconds until the limit allows another failure
   * Source: choice A9.
   */
  count(address: string): Promise<number> {
    const subject = `token:${clientSubject(address)}`;
    return this.failures.run(subject, () =>
      this.rateLimiter.consume(subject, this.environment.TOKEN_FAILURES_PER_MINUTE),
    );
  }
}
