import { Module } from '@nestjs/common';
import { DocumentStoreModule } from '../documents/document-store.module.js';
import { StatementsController } from './statements.controller.js';
import { StatementsRepository } from './statements.repository.js';
import { StatementsService } from './statements.service.js';

@Module({
  imports: [DocumentStoreModule],
  controllers: [StatementsController],
  providers: [StatementsService, StatementsRepository],
  exports: [StatementsService],
})
export class StatementsModule {}
