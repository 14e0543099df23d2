import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccessRegister } from './access-register.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { AuthResolver } from './auth.resolver.js';
import { AuthService } from './auth.service.js';
import { CallerGuard } from './caller.guard.js';
import { graphqlModule } from './graphql.module.js';
import { OrganisationsRepository } from './organisations.repository.js';
import { OrganisationsService } from './organisations.service.js';
import { RateAllowanceRepository } from './rate-allowance.repository.js';
import { RateAllowanceService } from './rate-allowance.service.js';
import { RequestLimitService } from './request-limit.service.js';
import { ServiceTokensService } from './service-tokens.service.js';
import { TokenService } from './token.service.js';

/** Who is calling: organisations, API keys, service tokens, and the GraphQL interface to them. */
@Module({
  imports: [graphqlModule()],
  providers: [
    AuthResolver,
    AuthService,
    ServiceTokensService,
    TokenService,
    AccessRegister,
    OrganisationsService,
    OrganisationsRepository,
    ApiKeysService,
    ApiKeysRepository,
    RequestLimitService,
    RateAllowanceService,
    RateAllowanceRepository,
    { provide: APP_GUARD, useClass: CallerGuard },
  ],
  exports: [AuthService, OrganisationsService, ApiKeysService],
})
export class AuthModule {}
