import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ApiKeysService } from './api-keys.service.js';
import { OrganisationsService } from './organisations.service.js';

/** Organisations and their API keys. */
@Module({
  imports: [AuditModule],
  providers: [OrganisationsService, ApiKeysService],
  exports: [OrganisationsService, ApiKeysService],
})
export class OrganisationsModule {}
