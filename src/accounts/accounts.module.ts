import { Module } from '@nestjs/common';
import { ReadUnitOfWork } from '../database/read-unit-of-work.js';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { AccountStatusBatcher } from './account-status.batcher.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { AccountOperationsModule } from './account-operations.module.js';
import { StagedRetentionJob } from './retention/staged-retention.job.js';
import { StagedRetentionRepository } from './retention/staged-retention.repository.js';
import { CarryOverJob } from './totals/carry-over.job.js';

/** Account imports: their operator services, and the queries of the interface. */
@Module({
  imports: [AccountOperationsModule, ImportSuppliersModule],
  controllers: [AccountsController],
  providers: [
    AccountsService,
    AccountStatusBatcher,
    AccountsRepository,
    ReadUnitOfWork,
    StagedRetentionJob,
    StagedRetentionRepository,
    CarryOverJob,
  ],
})
export class AccountsModule {}
