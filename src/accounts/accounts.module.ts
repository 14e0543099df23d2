import { Module } from '@nestjs/common';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { ImportingRepository } from './importing.repository.js';
import { ImportingService } from './importing.service.js';
import { MigrationStatusRepository } from './migration-status.repository.js';
import { MigrationStatusService } from './migration-status.service.js';
import { StagingRepository } from './staging.repository.js';
import { StagingService } from './staging.service.js';

/** Account imports: what is staged, and the platform accounts made of it. */
@Module({
  imports: [ImportSuppliersModule],
  providers: [
    StagingService,
    StagingRepository,
    ImportingService,
    ImportingRepository,
    MigrationStatusService,
    MigrationStatusRepository,
  ],
})
export class AccountsModule {}
