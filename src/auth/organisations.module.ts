import { Module } from '@nestjs/common';
import { AuditModule } from '../infrastructure/audit/audit.module.js';
import { ApiKeysService } from './api-keys.service.js';
import { OrganisationsService } from './organisations.service.js';
import { PlatformKeysService } from './platform-keys.service.js';

/** Organisations and their API keys, and the keys of the platform. */
@Module({
  imports: [AuditModule],
  providers: [OrganisationsService, ApiKeysService, PlatformKeysService],
  exports: [OrganisationsService, ApiKeysService, PlatformKeysService],
})
export class OrganisationsModule {}
