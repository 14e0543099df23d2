import { Module } from '@nestjs/common';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { AccountStatusBatcher } from './account-status.batcher.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { MigrationModule } from './migration.module.js';

/** Account imports: their operator services, and the queries of the interface. */
@Module({
  imports: [MigrationModule, ImportSuppliersModule],
  controllers: [AccountsController],
  providers: [AccountsService, AccountStatusBatcher, AccountsRepository],
})
export class AccountsModule {}
