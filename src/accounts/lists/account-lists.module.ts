import { Module } from '@nestjs/common';
import { ImportSuppliersModule } from '../../import-suppliers/import-suppliers.module.js';
import { AccountListsRepository } from './account-lists.repository.js';
import { AccountListsService } from './account-lists.service.js';

/** Lists of accounts with filters. */
@Module({
  imports: [ImportSuppliersModule],
  providers: [AccountListsService, AccountListsRepository],
  exports: [AccountListsService],
})
export class AccountListsModule {}
