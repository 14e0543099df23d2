import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ChangesModule } from '../changes/changes.module.js';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { TotalsModule } from '../totals/totals.module.js';
import { FeedCheckRepository } from './feed-check.repository.js';
import { FeedCheckService } from './feed-check.service.js';
import { ReadersRepository } from './readers.repository.js';
import { ReadersService } from './readers.service.js';

/** Who reads the feeds, their epochs, and whether they are complete. */
@Module({
  imports: [AuditModule, ChangesModule, ImportSuppliersModule, TotalsModule],
  providers: [ReadersService, ReadersRepository, FeedCheckService, FeedCheckRepository],
  exports: [ReadersService, FeedCheckService],
})
export class ReadersModule {}
