import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { ErasureModule } from '../../erasure/erasure.module.js';
import { ImportSuppliersModule } from '../../import-suppliers/import-suppliers.module.js';
import { TotalsModule } from '../../totals/totals.module.js';
import { CertificateService } from './certificate.service.js';
import { CompletionService } from './completion.service.js';
import { ControlledRowsRepository } from './controlled-rows.repository.js';
import { EveryAccountRepository } from './every-account.repository.js';

/** What operators do at the end of a migration: compare, complete, certify. */
@Module({
  imports: [TotalsModule, ErasureModule, AuditModule, ImportSuppliersModule],
  providers: [CompletionService, ControlledRowsRepository, CertificateService, EveryAccountRepository],
  exports: [CompletionService, CertificateService],
})
export class MigrationOperationsModule {}
