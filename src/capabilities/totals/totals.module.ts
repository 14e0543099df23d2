import { Module } from '@nestjs/common';
import { AuditModule } from '../../infrastructure/audit/audit.module.js';
import { ChangesModule } from '../../infrastructure/change-log/changes.module.js';
import { ImportSuppliersModule } from '../../import-suppliers/import-suppliers.module.js';
import { CarryOverRepository } from './carry-over.repository.js';
import { ImportProgressService } from './import-progress.service.js';
import { TotalsCheckService } from './totals-check.service.js';
import { TotalsService } from './totals.service.js';

/** The totals of each supplier and account, and the progress of its import. */
@Module({
  imports: [AuditModule, ChangesModule, ImportSuppliersModule],
  providers: [TotalsService, CarryOverRepository, TotalsCheckService, ImportProgressService],
  exports: [TotalsService, TotalsCheckService, ImportProgressService],
})
export class TotalsModule {}
