import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { PlatformKeysService } from './platform-keys.service.js';

/** The keys of the platform. */
@Module({
  imports: [AuditModule],
  providers: [PlatformKeysService],
  exports: [PlatformKeysService],
})
export class PlatformKeysModule {}
