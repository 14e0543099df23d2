import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccessRegister } from './access-register.js';
import { AuthService } from './auth.service.js';
import { CallerGuard } from './caller.guard.js';
import { TokenService } from './token.service.js';

/** Who is calling: organisations, API keys, service tokens. */
@Module({
  providers: [AuthService, TokenService, AccessRegister, { provide: APP_GUARD, useClass: CallerGuard }],
  exports: [AuthService],
})
export class AuthModule {}
