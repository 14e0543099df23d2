import { Module } from '@nestjs/common';
import { AuditModule } from '../../infrastructure/audit/audit.module.js';
import { ImportSuppliersModule } from '../../import-suppliers/import-suppliers.module.js';
import { RunsModule } from '../../infrastructure/jobs/runs/runs.module.js';
import { ImportingRepository } from './importing.repository.js';
import { ImportingService } from './importing.service.js';
import { RetryService } from './retry.service.js';
import { StagingRepository } from '../staging/staging.repository.js';
import { StagingService } from '../staging/staging.service.js';

/** Staging accounts, and creating platform accounts for them. */
@Module({
  imports: [AuditModule, ImportSuppliersModule, RunsModule],
  providers: [StagingService, StagingRepository, ImportingService, ImportingRepository, RetryService],
  exports: [StagingService, ImportingService, RetryService],
})
export class ImportingModule {}
