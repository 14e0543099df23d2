import { Module } from '@nestjs/common';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { AccountQueriesController } from './account-queries.controller.js';
import { AccountQueriesRepository } from './account-queries.repository.js';
import { AccountQueriesService } from './account-queries.service.js';
import { ImportingRepository } from './importing.repository.js';
import { ImportingService } from './importing.service.js';
import { MigrationStatusRepository } from './migration-status.repository.js';
import { MigrationStatusService } from './migration-status.service.js';
import { StagingRepository } from './staging.repository.js';
import { StagingService } from './staging.service.js';

/** Account imports: what is staged, the platform accounts made of it, how far they are, and the door to them. */
@Module({
  imports: [ImportSuppliersModule],
  controllers: [AccountQueriesController],
  providers: [
    AccountQueriesService,
    AccountQueriesRepository,
    StagingService,
    StagingRepository,
    ImportingService,
    ImportingRepository,
    MigrationStatusService,
    MigrationStatusRepository,
  ],
})
export class AccountsModule {}
