import { Module } from '@nestjs/common';
import { AuditModule } from '../../infrastructure/audit/audit.module.js';
import { ChangesModule } from '../../infrastructure/change-log/changes.module.js';
import { ImportSuppliersModule } from '../../import-suppliers/import-suppliers.module.js';
import { TotalsModule } from '../totals/totals.module.js';
import { ReadersService } from './readers.service.js';

/** The readers of the feeds, and the epochs of the feeds. */
@Module({
  imports: [AuditModule, ChangesModule, ImportSuppliersModule, TotalsModule],
  providers: [ReadersService],
  exports: [ReadersService],
})
export class ReadersModule {}
