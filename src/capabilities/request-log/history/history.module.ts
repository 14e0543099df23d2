import { Module } from '@nestjs/common';
import { ImportSuppliersModule } from '../../../import-suppliers/import-suppliers.module.js';
import { SentRequestsModule } from '../requests/sent-requests.module.js';
import { AccountHistoryService } from './account-history.service.js';

/** The history of accounts. */
@Module({
  imports: [ImportSuppliersModule, SentRequestsModule],
  providers: [AccountHistoryService],
  exports: [AccountHistoryService],
})
export class HistoryModule {}
