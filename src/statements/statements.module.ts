import { Module } from '@nestjs/common';
import { ImportsModule } from '../imports/imports.module.js';
import { StatementsController } from './statements.controller.js';
import { StatementsRepository } from './statements.repository.js';
import { StatementsService } from './statements.service.js';

@Module({
  imports: [ImportsModule],
  controllers: [StatementsController],
  providers: [StatementsService, StatementsRepository],
})
export class StatementsModule {}
