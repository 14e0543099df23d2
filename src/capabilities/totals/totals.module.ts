import { Module } from '@nestjs/common';
import { AuditModule } from '../../infrastructure/audit/audit.module.js';
import { ChangesModule } from '../../infrastructure/change-log/changes.module.js';
import { ImportSuppliersModule } from '../../import-suppliers/import-suppliers.module.js';
import { CarryOverRepository } from './carry-over.repository.js';
import { ImportProgressService } from './import-progress.service.js';
import { TotalsCheckRepository } from './totals-check.repository.js';
import { TotalsCheckService } from './totals-check.service.js';
import { TotalsRepository } from './totals.repository.js';
import { TotalsService } from './totals.service.js';

/** The totals of each supplier and account, and the progress of its import. */
@Module({
  imports: [AuditModule, ChangesModule, ImportSuppliersModule],
  providers: [
    TotalsService,
    TotalsRepository,
    CarryOverRepository,
    TotalsCheckService,
    TotalsCheckRepository,
    ImportProgressService,
  ],
  exports: [TotalsService, TotalsCheckService, ImportProgressService],
})
export class TotalsModule {}
