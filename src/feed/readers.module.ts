import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ChangesModule } from '../changes/changes.module.js';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { TotalsModule } from '../totals/totals.module.js';
import { ReadersService } from './readers.service.js';

/** Who reads the feeds, and their epochs. */
@Module({
  imports: [AuditModule, ChangesModule, ImportSuppliersModule, TotalsModule],
  providers: [ReadersService],
  exports: [ReadersService],
})
export class ReadersModule {}
