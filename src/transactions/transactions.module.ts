import { Module } from '@nestjs/common';
import { ImportsModule } from '../imports/imports.module.js';
import { TransactionsBatcher } from './transactions.batcher.js';
import { TransactionsController } from './transactions.controller.js';
import { TransactionsRepository } from './transactions.repository.js';
import { TransactionsService } from './transactions.service.js';

@Module({
  imports: [ImportsModule],
  controllers: [TransactionsController],
  providers: [TransactionsService, TransactionsBatcher, TransactionsRepository],
})
export class TransactionsModule {}
