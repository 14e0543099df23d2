import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { OrganisationsRepository } from './organisations.repository.js';
import { OrganisationsService } from './organisations.service.js';

/** Organisations and their API keys. */
@Module({
  imports: [AuditModule],
  providers: [OrganisationsService, OrganisationsRepository, ApiKeysService, ApiKeysRepository],
  exports: [OrganisationsService, ApiKeysService],
})
export class OrganisationsModule {}
