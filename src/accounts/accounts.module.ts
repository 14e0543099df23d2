import { Module } from '@nestjs/common';
import { AccountsController } from './accounts.controller.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { MigrationModule } from './migration.module.js';

/** Account imports: how they come to be, and what their supplier asks about them. */
@Module({
  imports: [MigrationModule],
  controllers: [AccountsController],
  providers: [AccountsService, AccountsRepository],
})
export class AccountsModule {}
