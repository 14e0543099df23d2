import { Module } from '@nestjs/common';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { StatementsController } from './statements.controller.js';
import { StatementsRepository } from './statements.repository.js';
import { StatementsService } from './statements.service.js';

@Module({
  imports: [ImportSuppliersModule],
  controllers: [StatementsController],
  providers: [StatementsService, StatementsRepository],
  exports: [StatementsService],
})
export class StatementsModule {}
