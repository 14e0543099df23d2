import { Module } from '@nestjs/common';
import { RunsRepository } from './runs.repository.js';
import { RunsService } from './runs.service.js';

/** Background runs for suppliers, and their progress. */
@Module({
  providers: [RunsService, RunsRepository],
  exports: [RunsService],
})
export class RunsModule {}
