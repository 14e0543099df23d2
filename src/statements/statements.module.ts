import { Module } from '@nestjs/common';
import { ImportsModule } from '../ingest/imports.module.js';
import { StatementsController } from './statements.controller.js';
import { StatementsService } from './statements.service.js';

@Module({
  imports: [ImportsModule],
  controllers: [StatementsController],
  providers: [StatementsService],
})
export class StatementsModule {}
