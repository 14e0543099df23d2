import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { PlatformKeysRepository } from './platform-keys.repository.js';
import { PlatformKeysService } from './platform-keys.service.js';

/** The keys of the platform. */
@Module({
  imports: [AuditModule],
  providers: [PlatformKeysService, PlatformKeysRepository],
  exports: [PlatformKeysService],
})
export class PlatformKeysModule {}
