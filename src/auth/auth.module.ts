import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeyStatusCache } from './api-key-status.cache.js';
import { AuthResolver } from './auth.resolver.js';
import { AuthService } from './auth.service.js';
import { CallerGuard } from './caller.guard.js';
import { graphqlModule } from './graphql/graphql.module.js';
import { OrganisationsModule } from './organisations.module.js';
import { PlatformKeyStatusCache } from './platform-key-status.cache.js';
import { PlatformKeysModule } from './platform-keys.module.js';
import { RateLimiterRepository } from './rate-limiter.repository.js';
import { RateLimiterService } from './rate-limiter.service.js';
import { RequestLimitService } from './request-limit.service.js';
import { ServiceTokensService } from './service-tokens.service.js';
import { TokenFailuresService } from './token-failures.service.js';
import { TokenService } from './token.service.js';

/** Service tokens, the guard that requires them, the rate limits, and the GraphQL interface. */
@Module({
  imports: [graphqlModule(), OrganisationsModule, PlatformKeysModule],
  providers: [
    AuthResolver,
    AuthService,
    ServiceTokensService,
    TokenService,
    ApiKeyStatusCache,
    PlatformKeyStatusCache,
    TokenFailuresService,
    RequestLimitService,
    RateLimiterService,
    RateLimiterRepository,
    { provide: APP_GUARD, useClass: CallerGuard },
  ],
  exports: [AuthService, RateLimiterService, TokenFailuresService],
})
export class AuthModule {}
