import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthService } from './auth.service.js';
import { CallerGuard } from './caller.guard.js';
import { KeyStatusCache } from './key-status.cache.js';
import { OrganisationsModule } from './organisations.module.js';
import { RateLimiterService } from './rate-limiter.service.js';
import { RequestLimitService } from './request-limit.service.js';
import { ServiceTokensService } from './service-tokens.service.js';
import { TokenFailuresService } from './token-failures.service.js';
import { TokenService } from './token.service.js';

/** Service tokens, the guard that requires them, and the rate limits. */
@Module({
  imports: [OrganisationsModule],
  providers: [
    AuthService,
    ServiceTokensService,
    TokenService,
    KeyStatusCache,
    TokenFailuresService,
    RequestLimitService,
    RateLimiterService,
    { provide: APP_GUARD, useClass: CallerGuard },
  ],
  exports: [AuthService, RateLimiterService, RequestLimitService, ServiceTokensService, TokenFailuresService],
})
export class AuthModule {}
