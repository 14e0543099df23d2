import { Module } from '@nestjs/common';
import { AuditModule } from '../../infrastructure/audit/audit.module.js';
import { CataloguesRepository } from './catalogues.repository.js';
import { CataloguesService } from './catalogues.service.js';

/** The allowed values of fields that an operator may extend. */
@Module({
  imports: [AuditModule],
  providers: [CataloguesService, CataloguesRepository],
  exports: [CataloguesService],
})
export class CataloguesModule {}
