import { Module } from '@nestjs/common';
import { AuditModule } from '../../infrastructure/audit/audit.module.js';
import { ImportSuppliersModule } from '../../import-suppliers/import-suppliers.module.js';
import { PeriodsService } from './periods.service.js';

/** Changes to the open statement periods of accounts. */
@Module({
  imports: [AuditModule, ImportSuppliersModule],
  providers: [PeriodsService],
  exports: [PeriodsService],
})
export class PeriodsModule {}
