import { Module } from '@nestjs/common';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { AccountsController } from './status/accounts.controller.js';
import { AccountsRepository } from './status/accounts.repository.js';
import { AccountsService } from './status/accounts.service.js';

/** Status and lists of account imports. */
@Module({
  imports: [ImportSuppliersModule],
  controllers: [AccountsController],
  providers: [AccountsService, AccountsRepository],
})
export class AccountsModule {}
