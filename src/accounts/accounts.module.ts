import { Module } from '@nestjs/common';
import { AccountQueriesController } from './account-queries.controller.js';
import { AccountQueriesRepository } from './account-queries.repository.js';
import { AccountQueriesService } from './account-queries.service.js';

/** Account imports: how far they are, and the door that every load passes. */
@Module({
  controllers: [AccountQueriesController],
  providers: [AccountQueriesService, AccountQueriesRepository],
})
export class AccountsModule {}
