import { Module } from '@nestjs/common';
import { AccountQueriesController } from './accounts.controller.js';
import { AccountQueriesRepository } from './accounts.repository.js';
import { AccountQueriesService } from './accounts.service.js';
import { MigrationModule } from './migration.module.js';

/** Account imports: how they come to be, and what their supplier asks about them. */
@Module({
  imports: [MigrationModule],
  controllers: [AccountQueriesController],
  providers: [AccountQueriesService, AccountQueriesRepository],
})
export class AccountsModule {}
