import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../infrastructure/audit/audit.module.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeysService } from './api-keys.service.js';
import { Organisation } from './organisation.entity.js';
import { OrganisationsService } from './organisations.service.js';
import { PlatformKey } from './platform-key.entity.js';
import { PlatformKeysService } from './platform-keys.service.js';

/** Organisations and their API keys, and the keys of the platform. */
@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([Organisation, ApiKey, PlatformKey])],
  providers: [OrganisationsService, ApiKeysService, PlatformKeysService],
  exports: [OrganisationsService, ApiKeysService, PlatformKeysService, TypeOrmModule],
})
export class OrganisationsModule {}
