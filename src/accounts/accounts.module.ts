import { Module } from '@nestjs/common';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { registerMetrics } from '../infrastructure/metrics/metrics.registry.js';
import { ImportRunner } from '../ingest/import-runner.js';
import { ImportsModule } from '../ingest/imports.module.js';
import { AccountsController } from './status/accounts.controller.js';
import { AccountsRepository } from './status/accounts.repository.js';
import { AccountsService } from './status/accounts.service.js';
import { batcherMetrics } from './status/batcher-metrics.js';

/** Status and lists of account imports. */
@Module({
  imports: [ImportsModule, ImportSuppliersModule],
  controllers: [AccountsController],
  providers: [
    AccountsService,
    AccountsRepository,
    registerMetrics(batcherMetrics, ImportRunner, AccountsService),
  ],
})
export class AccountsModule {}
