import { Module } from '@nestjs/common';
import { AuditModule } from '../../../infrastructure/audit/audit.module.js';
import { ImportSuppliersModule } from '../../../import-suppliers/import-suppliers.module.js';
import { ConditionsModule } from '../../conditions/conditions.module.js';
import { TotalsModule } from '../../totals/totals.module.js';
import { CertificateService } from './certificate.service.js';
import { CompletionService } from './completion.service.js';
import { MigrationStatusService } from './migration-status.service.js';

/** Services for operators: the progress, the differences, the completion and the certificate of a migration. */
@Module({
  imports: [AuditModule, ConditionsModule, ImportSuppliersModule, TotalsModule],
  providers: [CompletionService, CertificateService, MigrationStatusService],
  exports: [CompletionService, CertificateService, MigrationStatusService],
})
export class MigrationOperationsModule {}
