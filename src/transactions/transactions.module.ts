import { Module } from '@nestjs/common';
import { ImportsModule } from '../imports/imports.module.js';
import { MovedTransactionsRepository } from './moved-transactions.repository.js';
import { TransactionsController } from './transactions.controller.js';
import { TransactionsRepository } from './transactions.repository.js';
import { TransactionsService } from './transactions.service.js';

@Module({
  imports: [ImportsModule],
  controllers: [TransactionsController],
  providers: [TransactionsService, TransactionsRepository, MovedTransactionsRepository],
})
export class TransactionsModule {}
